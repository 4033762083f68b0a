/** Maximum length of a text of a request in a message. */
const MAX_MESSAGE_TEXT_LENGTH = 100;

/** Shortens a long text of a request for a message, with an ellipsis. */
export function abbreviate(text: string): string {
  return text.length <= MAX_MESSAGE_TEXT_LENGTH ? text : `${truncate(text, MAX_MESSAGE_TEXT_LENGTH)}…`;
}

/** Cuts a text to at most `maxLength` UTF-16 units, never within a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  const cutsPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  return text.length <= maxLength ? text : text.slice(0, cutsPair ? maxLength - 1 : maxLength);
}
