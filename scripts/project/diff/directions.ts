import { findValue, isObject, type JsonObject, type JsonValue } from "../../json.js";
import type { Direction } from "../../model/schema/schema.js";
import { walkGraph } from "../../walk-graph.js";

/** The directions of the messages that contain a part of a document. */
export type Directions = Record<Direction, boolean>;

/**
 * Creates a function that determines whether requests or responses contain the part at a JSON pointer of a bundled
 * document. Parts of callbacks and webhooks, which have the opposite direction, count as both.
 */
export function createDirectionLookup(document: JsonObject): (pointer: string) => Directions {
  const listObjects = (value: JsonValue | undefined): JsonObject[] =>
    isObject(value) ? Object.values(value).filter((member) => isObject(member)) : [];
  const { paths, components } = document;
  const sharedPathItems = isObject(components) ? components.pathItems : undefined;
  const pathItems = [paths, sharedPathItems].flatMap(listObjects);
  const operations = pathItems.flatMap(listObjects);
  const bothWays = [document.webhooks, operations.map(({ callbacks }) => callbacks)];
  const requestParts = [...pathItems, ...operations].map(({ parameters, requestBody }) => [
    parameters,
    requestBody,
  ]);
  const inRequests = findComponents(document, [bothWays, requestParts]);
  const inResponses = findComponents(document, [bothWays, operations.map(({ responses }) => responses)]);

  return (pointer) => {
    const [, root = "", kind, name] = pointer.split("/");
    const component = `/components/${kind}/${name}`;
    const direction = { request: inRequests.has(component), response: inResponses.has(component) };
    if (root === "components" && kind !== "pathItems") return direction;
    // Webhooks and callbacks also use path items of the components.
    if (direction.request && direction.response) return direction;
    const inPath = pointer.replace(/^\/components\/pathItems\//, "/paths/");
    if (!inPath.startsWith("/paths/") || /^\/paths\/[^/]*\/[^/]*\/callbacks\//.test(inPath))
      return { request: true, response: true };
    return {
      request: /^\/paths\/[^/]*\/(?:[^/]*\/)?(?:parameters|requestBody)(?:\/|$)/.test(inPath),
      response: /^\/paths\/[^/]*\/[^/]*\/responses(?:\/|$)/.test(inPath),
    };
  };
}

/** Finds the JSON pointers of the components that a value refers to, directly or through others. */
function findComponents(document: JsonObject, value: unknown): ReadonlySet<string> {
  const listNext = (pointer: string): string[] => listComponentPointers(findValue(document, pointer));
  return new Set(walkGraph(listComponentPointers(value), listNext));
}

/** Lists the JSON pointers of the components that a value refers to directly. */
function listComponentPointers(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const reference = key === "$ref" && typeof member === "string" ? member : "";
    const pointer = /^#(\/components\/[^/]*\/[^/]*)/.exec(reference)?.[1];
    return pointer === undefined ? listComponentPointers(member) : [pointer];
  });
}
