/** Cuts a text to at most `maxLength` UTF-16 units, never within a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  const cutsPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  return text.length <= maxLength ? text : text.slice(0, cutsPair ? maxLength - 1 : maxLength);
}
