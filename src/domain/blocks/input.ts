import type { components } from "../../../generated/types.js";

/** A block to create, with the blocks inside it. */
export type BlockInput = components["schemas"]["BlockInput"];

/** A change of a block: the content to replace, under the name of its type. */
export type BlockChange = components["schemas"]["UpdateBlockBody"];

/** A type of block that requests can create. */
export type CreatableType = NonNullable<BlockInput["type"]>;

/** The content of each type of block: complete in a new block, partial in a change. */
export type BlockPayloads = {
  [Type in CreatableType]:
    NonNullable<BlockInput[Type]> | (Type extends keyof BlockChange ? NonNullable<BlockChange[Type]> : never);
};

/** The content of a new or changed block under the name of its type. */
export type BlockPayload = { readonly [Type in CreatableType]?: BlockPayloads[Type] } & Pick<
  BlockInput,
  "type"
>;
