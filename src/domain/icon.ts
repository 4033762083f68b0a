import type { components } from "../../generated/types.js";
import { shapeError } from "./errors.js";
import { requireId } from "./ids.js";
import { readSingleKey } from "./single-key.js";

type Schemas = components["schemas"];

/** An image on another site. */
export interface ExternalFile {
  readonly type: "external";
  readonly external: { readonly url: string };
}

/** A custom emoji of a workspace, as stored and in responses. */
export interface CustomEmoji {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

/** An icon, as stored and in responses. */
export type Icon =
  | { readonly type: "emoji"; readonly emoji: string }
  | ExternalFile
  | { readonly type: "custom_emoji"; readonly custom_emoji: CustomEmoji };

/** The cover of a page or database, as stored and in responses. */
export type Cover = ExternalFile;

/** A custom emoji in a request. */
export type CustomEmojiInput = Schemas["CustomEmojiInput"];

/** A cover in a request. */
export type CoverInput = NonNullable<Schemas["ExternalFileInput"]>;

/** An icon in a request: exactly one field except for the type. */
export type IconInput = NonNullable<Schemas["IconInput"]>;

/** Matches one emoji or several. Deliberately loose, because every list of emoji becomes incomplete. */
const EMOJI =
  /^(?=.*[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3])[\p{Extended_Pictographic}\p{Emoji_Component}]{1,32}$/u;

/**
 * Reads an icon; null means no icon.
 *
 * @param path path of the icon in the request
 * @throws DomainError (validation) when the input does not have exactly one kind of icon, or its emoji is not an emoji
 */
export function toIcon(input: IconInput | null, path = "body.icon"): Icon | null {
  if (input === null) return null;
  const { kind, value } = readSingleKey(input, ["emoji", "external", "custom_emoji"], path);
  switch (kind) {
    case "emoji":
      if (!EMOJI.test(value)) throw shapeError(`${path}.emoji`, "an emoji", value);
      return { type: kind, emoji: value };
    case "external":
      return { type: kind, external: { url: value.url } };
    case "custom_emoji":
      return { type: kind, custom_emoji: toCustomEmoji(value) };
  }
}

/** Adds the defaults of omitted fields. */
export function toCustomEmoji({ id, name = "", url = "" }: CustomEmojiInput): CustomEmoji {
  return { id: requireId(id), name, url };
}

/** Adds the type of a cover; null means no cover. */
export function toCover(input: CoverInput): Cover;
export function toCover(input: CoverInput | null): Cover | null;
export function toCover(input: CoverInput | null): Cover | null {
  return input === null ? null : { type: "external", external: { url: input.external.url } };
}
