import type { Schemas } from "./api-schemas.js";
import { createInvalidValueError } from "./errors.js";
import { normalizeId } from "./ids.js";
import { parseSingleKey } from "./single-key.js";

/** An image on another site, such as a cover. */
export type ExternalFile = Schemas["ExternalFile"];

/** An icon, as stored and in responses. */
export type Icon = Schemas["Icon"];

/** Matches up to 32 code points of emoji. Uses Unicode properties, because a list of all emoji would become outdated. */
const EMOJI =
  /^(?=.*[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3])[\p{Extended_Pictographic}\p{Emoji_Component}]{1,32}$/u;

/** Converts the icon of a request to the stored form. Throws a DomainError (validation) for an invalid icon. */
export function parseIcon(input: Schemas["IconInput"], path = "body.icon"): Icon | null {
  if (input === null) return null;
  const { kind, value } = parseSingleKey(input, ["emoji", "external", "custom_emoji"], path);
  switch (kind) {
    case "emoji":
      if (!EMOJI.test(value)) throw createInvalidValueError(`${path}.emoji`, "an emoji", value);
      return { type: kind, emoji: value };
    case "external":
      return { type: kind, external: { url: value.url } };
    case "custom_emoji":
      return { type: kind, custom_emoji: parseCustomEmoji(value) };
  }
}

/** Converts a custom emoji of a request to the stored form. An omitted name or URL becomes the empty string. */
export function parseCustomEmoji({
  id,
  name = "",
  url = "",
}: Schemas["CustomEmojiInput"]): Schemas["CustomEmoji"] {
  return { id: normalizeId(id), name, url };
}

/** Converts the cover of a request to the stored form, which also has a type. Null stands for no cover. */
export function parseCover(input: Schemas["ExternalFileInput"]): ExternalFile | null {
  return input === null ? null : { type: "external", external: { url: input.external.url } };
}
