import type { Api, BaseOperation } from "../../model/model.js";
import { listLinkedSchemas } from "../../model/schema/composition.js";
import type { Schema } from "../../model/schema/schema.js";
import { compareText } from "../../text.js";
import { walkGraph } from "../../walk-graph.js";

const KEYWORDS_WITHOUT_TYPE: ReadonlySet<string> = new Set(
  "not if contains contentSchema $defs definitions".split(" "),
);

/**
 * Lists the schemas with a type of their own: the response variants of all components, and all targets of references in the
 * variant in which they are used. Sorted by name.
 */
export function listDeclaredSchemas(api: Api): Schema[] {
  const declared = new Set(listComponents(api));
  for (const { reference } of walkTypedSchemas(api)) if (reference) declared.add(reference);
  return [...declared].sort((a, b) => compareText(a.name, b.name));
}

/** Visits the schemas of all messages and components that affect a type, and their subschemas. */
export function walkTypedSchemas(api: Api): Iterable<Schema> {
  const affectsType = (keyword: string): boolean => !KEYWORDS_WITHOUT_TYPE.has(keyword);
  return walkGraph([...listMessageSchemas(api), ...listComponents(api)], (schema) =>
    listLinkedSchemas(schema, affectsType),
  );
}

/** Lists the response variants of all components. */
function listComponents({ schemas }: Api): Schema[] {
  return [...schemas.components().values()].map((component) => component.response);
}

/** Lists the schemas of all parameters, bodies and headers, including those of unused components. */
function listMessageSchemas({ operations, webhooks, components }: Api): Schema[] {
  const all = [...operations, ...webhooks].flatMap(listWithCallbacks);
  const bodies = all.flatMap(({ body }) => body ?? []);
  const responses = [...all.flatMap((each) => each.responses), ...components.responses.values()];
  const mediaTypes = [...bodies, ...components.requestBodies.values(), ...responses].flatMap(
    (each) => each.mediaTypes,
  );
  return [
    ...all.flatMap(({ parameters }) => parameters),
    ...components.parameters.values(),
    ...responses.flatMap(({ headers }) => headers),
    ...components.headers.values(),
    ...mediaTypes,
    ...mediaTypes.flatMap(({ item }) => item ?? []),
  ].flatMap(({ schema }) => schema ?? []);
}

function listWithCallbacks(operation: BaseOperation): BaseOperation[] {
  const expressions = operation.callbacks.flatMap((callback) => callback.expressions);
  return [operation, ...expressions.flatMap(({ operations }) => operations).flatMap(listWithCallbacks)];
}
