/** The grammar of HTTP, as far as a document names what goes into a head. */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const TOKEN_ONLY = new RegExp(`^${TOKEN}$`);
// No two of its repetitions can take the same blanks, so that it fails fast.
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

/** Why no header can have this name; undefined when one can. */
export function whyNoHeader(name: string): string | undefined {
  if (!isToken(name)) return "has a name that HTTP does not allow for a header";
  return name === "__proto__"
    ? "has a name that Node takes for something else: neither fetch nor its server lets it through"
    : undefined;
}
