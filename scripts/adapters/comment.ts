const maxLength = 160;

/**
 * Makes text of the document fit for a one-line comment: it cannot end the comment, start a line or a JSDoc
 * tag, or change the direction of what follows.
 */
export function commentText(text: string): string {
  const line = text
    // Before anything else: dropping a character later could bring a `*` and a `/` together.
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    // Invisible and direction-changing characters, and halves of surrogate pairs.
    .replace(/[\p{Cf}\p{Cs}]/gu, "")
    .replace(/(^|[\s{])@+/g, "$1")
    .trim();
  const characters = [...line];
  const short =
    characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : characters.join("");
  let safe = short;
  // Again and again: what is left of `**//` after one pass is another `*/`.
  while (safe.includes("*/")) safe = safe.replaceAll("*/", "");
  return safe;
}
