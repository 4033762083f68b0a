import { isObject, type JsonObject, type JsonValue, unescapePointer } from "../../json.js";

/** The directions of the messages that contain a part of a document. */
export interface Directions {
  request: boolean;
  response: boolean;
}

/**
 * Creates a function that determines whether requests or responses contain the part at a JSON pointer of a bundled
 * document. Parts of callbacks and webhooks, which have the opposite direction, count as both.
 */
export function createDirectionLookup(document: JsonObject): (pointer: string) => Directions {
  const components = { request: new Set<string>(), response: new Set<string>() };
  for (const item of Object.values(getObjectMember(document, "paths"))) {
    if (!isObject(item)) continue;
    for (const [name, member] of Object.entries(item)) {
      if (name === "parameters") collectComponents(document, member, components.request);
      if (!isObject(member)) continue;
      collectComponents(document, member.parameters, components.request);
      collectComponents(document, member.requestBody, components.request);
      collectComponents(document, member.responses, components.response);
      for (const set of [components.request, components.response])
        collectComponents(document, member.callbacks, set);
    }
  }
  for (const set of [components.request, components.response])
    collectComponents(document, document.webhooks, set);

  return (pointer) => {
    const [, root = "", kind, name] = pointer.split("/");
    if (root === "components") {
      const component = `#/components/${kind}/${name}`;
      return { request: components.request.has(component), response: components.response.has(component) };
    }
    if (root !== "paths" || /^\/paths\/[^/]*\/[^/]*\/callbacks\//.test(pointer))
      return { request: true, response: true };
    return {
      request: /^\/paths\/[^/]*\/(?:[^/]*\/)?(?:parameters|requestBody)(?:\/|$)/.test(pointer),
      response: /^\/paths\/[^/]*\/[^/]*\/responses(?:\/|$)/.test(pointer),
    };
  };
}

/** Adds every component that a value refers to, directly or through others, as `#/components/KIND/NAME`. */
function collectComponents(document: JsonObject, value: JsonValue | undefined, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collectComponents(document, item, found);
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const component =
      key === "$ref" && typeof member === "string"
        ? /^#\/components\/[^/]*\/[^/]*/.exec(member)?.[0]
        : undefined;
    if (component === undefined) {
      collectComponents(document, member, found);
    } else if (!found.has(component)) {
      found.add(component);
      const [, , kind = "", name = ""] = component.split("/");
      collectComponents(
        document,
        getObjectMember(getObjectMember(document, "components"), kind)[unescapePointer(name)],
        found,
      );
    }
  }
}

function getObjectMember(parent: JsonObject, key: string): JsonObject {
  const member = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return isObject(member) ? member : {};
}
