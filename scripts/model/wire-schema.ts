import type { BuildContext } from "./context.js";
import { isJson } from "./http-grammar.js";
import type { WireType } from "./model.js";
import { type DocumentNode, getMember, listMembers } from "./node.js";
import type { Direction, Schema } from "./schema/schema.js";
import { inferWireType } from "./wire-type.js";

/**
 * Reads the schema of a parameter or header, and the type of its text. `owner` is the object with the member `schema`: the node
 * itself, or its media type if it has `content`.
 */
export function readWireSchema(
  node: DocumentNode,
  direction: Direction,
  context: BuildContext,
): { schema: Schema | undefined; type: WireType; owner: DocumentNode } {
  const [mediaType, content] = listMembers(getMember(node, "content"))[0] ?? [];
  const owner = (content && context.deref(content)) ?? node;
  const schema = context.findSchema(getMember(owner, "schema"), direction);
  const type = inferWireType(schema);
  // In `content`, an array or an object is JSON in any media type.
  const isJsonText = mediaType !== undefined && (isJson(mediaType) || type === "array" || type === "object");
  return { schema, type: isJsonText ? "json" : type, owner };
}
