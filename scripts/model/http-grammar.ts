// The grammar of header names, cookie names and media types (RFC 9110).

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const TOKEN_PATTERN = new RegExp(`^${TOKEN}$`);
// White space matches in one place per parameter, so that the expression does not backtrack exponentially.
const MEDIA_TYPE_PATTERN = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[ \\t]*;(?:[ \\t]*${TOKEN}=(?:${TOKEN}|"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*"))?)*$`,
);

/** Whether a text is a token (RFC 9110, section 5.6.2). Names of headers and cookies are tokens. */
export function isToken(text: string): boolean {
  return TOKEN_PATTERN.test(text);
}

/** Whether a text is a media type (RFC 9110, section 8.3.1) or a range of media types such as `image/*`. */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE_PATTERN.test(text);
}

/** Whether a media type is `application/json` or `text/json`, or has the suffix `+json`. */
export function isJson(mediaType: string): boolean {
  return /^(?:(?:application|text)\/json|[^;]*\+json)\s*(?:;|$)/i.test(mediaType);
}

/** Describes why a header cannot have a name, as the end of a sentence about the header; undefined for a valid name. */
export function describeHeaderNameProblem(name: string): string | undefined {
  if (!isToken(name))
    return "has a name that HTTP does not allow for a header. Use letters, digits and hyphens.";
  return name === "__proto__"
    ? "has a name that Node.js drops, in its fetch and in its HTTP server. Rename it."
    : undefined;
}
