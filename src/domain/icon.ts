import { shapeError } from "./errors.js";
import { requireId } from "./ids.js";
import { readOneMember } from "./one-member.js";

/** A picture that is hosted elsewhere. */
export interface ExternalFile {
  readonly type: "external";
  readonly external: { readonly url: string };
}

/** An emoji of a workspace's own, as stored and as responses show it. */
export interface CustomEmoji {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

/** An icon, as stored and as responses show it. */
export type Icon =
  | { readonly type: "emoji"; readonly emoji: string }
  | ExternalFile
  | { readonly type: "custom_emoji"; readonly custom_emoji: CustomEmoji };

/** The cover of a page or database, as stored and as responses show it. */
export type Cover = ExternalFile;

/** An emoji of a workspace's own, as requests bring it. */
export interface CustomEmojiInput {
  readonly id: string;
  readonly name?: string | undefined;
  readonly url?: string | undefined;
}

/** A cover as requests bring it; the type may be left out. */
export interface CoverInput {
  readonly type?: "external" | undefined;
  readonly external: { readonly url: string };
}

/** An icon as requests bring it: one of the members besides the type, which may be left out. */
export interface IconInput {
  readonly type?: Icon["type"] | undefined;
  readonly emoji?: string | undefined;
  readonly external?: { readonly url: string } | undefined;
  readonly custom_emoji?: CustomEmojiInput | undefined;
}

/** One emoji or several: loosely, for no list of them stays complete. */
const EMOJI =
  /^(?=.*[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3])[\p{Extended_Pictographic}\p{Emoji_Component}]{1,32}$/u;

/**
 * Reads an icon; null means no icon.
 *
 * @param place where the icon is in the request, as error messages name it
 * @throws DomainError (validation) when it is not just one of the kinds of icons, or its emoji is none
 */
export function toIcon(input: IconInput | null, place = "body.icon"): Icon | null {
  if (input === null) return null;
  const { kind, value } = readOneMember(input, ["emoji", "external", "custom_emoji"], place);
  switch (kind) {
    case "emoji":
      if (!EMOJI.test(value)) throw shapeError(`${place}.emoji`, "an emoji", value);
      return { type: kind, emoji: value };
    case "external":
      return { type: kind, external: { url: value.url } };
    case "custom_emoji":
      return { type: kind, custom_emoji: toCustomEmoji(value) };
  }
}

/** Fills in what a request may leave out of an emoji. */
export function toCustomEmoji({ id, name = "", url = "" }: CustomEmojiInput): CustomEmoji {
  return { id: requireId(id), name, url };
}

/** Fills in the type of a cover; null means no cover. */
export function toCover(input: CoverInput): Cover;
export function toCover(input: CoverInput | null): Cover | null;
export function toCover(input: CoverInput | null): Cover | null {
  return input === null ? null : { type: "external", external: { url: input.external.url } };
}
