import type { Api, BaseOperation } from "../model/model.js";
import { listLinks } from "../model/schema/composition.js";
import type { Schema } from "../model/schema/schema.js";
import { compareText } from "../text.js";
import { walkGraph } from "../walk-graph.js";

/** Keywords whose subschemas do not affect a type. */
const KEYWORDS_WITHOUT_TYPE: ReadonlySet<string> = new Set(
  "not if contains contentSchema $defs definitions".split(" "),
);

/**
 * Lists the schemas with a type of their own: the response variants of all components, and all targets of references in the
 * variant in which they are used. Sorted by name.
 */
export function listDeclaredSchemas(api: Api): Schema[] {
  const declared = new Set<Schema>();
  for (const component of api.schemas.components().values()) declared.add(component.response);
  const affectsType = (keyword: string): boolean => !KEYWORDS_WITHOUT_TYPE.has(keyword);
  const listParts = (schema: Schema): Schema[] => listLinks(schema, affectsType);
  for (const { reference } of walkGraph([...listMessageSchemas(api), ...declared], listParts))
    if (reference) declared.add(reference);
  return [...declared].sort((a, b) => compareText(a.name, b.name));
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

/** Lists an operation and the operations of its callbacks. */
function listWithCallbacks(operation: BaseOperation): BaseOperation[] {
  const expressions = operation.callbacks.flatMap((callback) => callback.expressions);
  return [operation, ...expressions.flatMap(({ operations }) => operations).flatMap(listWithCallbacks)];
}
