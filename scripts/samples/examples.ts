import type { Api, JsonValue, MediaType, Operation, Parameter } from "../model/model.js";
import { at, child, deref, entries, items, type Node } from "../model/node.js";

/** What a sample sends: a value for each required parameter, and a body where the operation has one. */
export interface Request {
  parameters: { parameter: Parameter; value: JsonValue }[];
  body: JsonValue | undefined;
}

/** A request that the document's examples make, by the name that the example of its body has. */
export interface NamedRequest {
  /** Undefined where the operation has no body, or an example without a name. */
  example: string | undefined;
  request: Request;
}

/**
 * The requests of an operation that the document's own examples make: one for each example of a JSON body, one for an
 * operation without a body. None when a required parameter or the body has no example, or the body is not JSON.
 */
export function exampleRequests(api: Api, { parameters, body }: Operation): NamedRequest[] {
  const given = parameters
    .filter(({ required }) => required)
    .map((parameter) => ({
      parameter,
      value: examplesAt(api, parameter.schemaPointer)[0]?.value,
    }));
  const known = given.flatMap(({ parameter, value }) => (value === undefined ? [] : [{ parameter, value }]));
  if (known.length < given.length) return [];
  if (!body) return [{ example: undefined, request: { parameters: known, body: undefined } }];
  const json = body.mediaTypes.find(({ kind }) => kind === "json");
  return bodyExamples(api, json).map(({ name, value }) => ({
    example: name,
    request: { parameters: known, body: value },
  }));
}

function bodyExamples(api: Api, media: MediaType | undefined): NamedExample[] {
  return media?.schemaPointer === undefined ? [] : examplesAt(api, media.schemaPointer);
}

interface NamedExample {
  name: string | undefined;
  value: JsonValue;
}

/** `example`, the values of `examples`, or what the schema itself shows: whatever stands first, beside the schema. */
function examplesAt({ document }: Api, schemaPointer: string): NamedExample[] {
  const owner = at(document, schemaPointer.slice(0, schemaPointer.lastIndexOf("/")));
  const schema = at(document, schemaPointer);
  return [
    ...one(owner && child(owner, "example")),
    ...named(document, owner && child(owner, "examples")),
    ...items(schema && child(schema, "examples")).map(({ value }) => ({ name: undefined, value })),
    ...one(schema && child(schema, "example")),
  ];
}

function one(node: Node | undefined): NamedExample[] {
  return node ? [{ name: undefined, value: node.value }] : [];
}

function named(document: Api["document"], examples: Node | undefined): NamedExample[] {
  return entries(examples).flatMap(([name, example]) => {
    const found = deref(document, example);
    const value = found && child(found, "value");
    return value ? [{ name, value: value.value }] : [];
  });
}
