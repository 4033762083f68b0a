/** Formats a value as JSON, and escapes the characters that a header cannot hold. */
export function formatHeaderJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
