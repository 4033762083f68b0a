import type { BuildContext } from "./context.js";
import type { Example } from "./model.js";
import { type DocumentNode, getMember, listMembers } from "./node.js";
import type { Schema } from "./schema/schema.js";

/** Builds the examples of a parameter or a media type, followed by the examples of its schema. */
export function buildExamples(
  owner: DocumentNode,
  schema: Schema | undefined,
  context: BuildContext,
): Example[] {
  const example = getMember(owner, "example");
  const named = listMembers(getMember(owner, "examples")).flatMap(([name, reference]): Example[] => {
    const target = context.deref(reference);
    // OpenAPI 3.2 has `dataValue` instead of `value`.
    const value = getMember(target, "value") ?? getMember(target, "dataValue");
    return value ? [{ name, value: value.value }] : [];
  });
  const values = schema?.keyword("examples");
  return [
    ...(example ? [{ name: undefined, value: example.value }] : []),
    ...named,
    ...(Array.isArray(values) ? values.map((value) => ({ name: undefined, value })) : []),
  ];
}
