/** Grammar of the names in HTTP headers. */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const TOKEN_ONLY = new RegExp(`^${TOKEN}$`);
// No two repetitions match the same blanks, so that matching takes linear time.
const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[ \\t]*;(?:[ \\t]*${TOKEN}=(?:${TOKEN}|"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*"))?)*$`,
);

/** Whether a text is a token of RFC 9110, section 5.6.2, as names of headers and of cookies are. */
export function isToken(text: string): boolean {
  return TOKEN_ONLY.test(text);
}

/** Whether a text is a media type of RFC 9110, section 8.3.1, or a range of them such as `image/*`. */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}

/** Returns the reason why a header cannot have this name; undefined for a valid name. */
export function headerNameProblem(name: string): string | undefined {
  if (!isToken(name)) return "has a name that HTTP does not allow for a header";
  return name === "__proto__"
    ? "has a name that Node takes for something else: neither fetch nor its server lets it through"
    : undefined;
}
