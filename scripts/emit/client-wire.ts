import type { ClientNeeds, Need } from "./client-needs.js";

/** Where each parameter is a whole segment and plain text. */
const WRITE_PATH = `
function writePath(template: string, values: Values): string {
  return template.replace(/\\{([^{}]+)\\}/g, (_, name: string) => {
    const text = encoded(Object.hasOwn(values, name) ? (values[name] ?? "") : "");
    // Whoever reads the URL would leave such a segment out, and call something else.
    if (/^\\.{0,2}$/.test(text)) throw cannotWrite(name, "no segment of a path is empty, . or ..");
    return text;
  });
}
`.trim();

const WRITE_STYLED_PATH = `
function writePath(template: string, values: Values, styles: Record<string, PathStyle>): string {
  const path = template.replace(/\\{([^{}]+)\\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null) throw cannotWrite(name, "the path needs it");
    const text = styleOf(styles, name)?.(name, value) ?? encoded(value);
    if (text === "") throw cannotWrite(name, "a path has no empty segments");
    return text;
  });
  // Whoever reads the URL would leave them out, and call something else.
  if (/\\/(?:\\.|%2e){1,2}(?:\\/|$)/i.test(path)) throw new TypeError(\`\${path} cannot be sent: URLs have no segments . and ..\`);
  return path;
}
`.trim();

/**
 * The part of client.ts that writes parameters and reads headers, as top-level statements with blank lines between. Values
 * without a style of their own are written in the plainest way; only those with one need more.
 */
export function clientWire({ path, query, headers }: ClientNeeds): string {
  const styles = (need: Need, type: string): string =>
    need === "styled" ? `, styles: Record<string, ${type}>` : "";
  return `
type Values = Record<string, unknown>;

/** How parameters are written by name: a style of OpenAPI, with a star when exploded, a plus when reserved signs stay. */
type Styles = Record<string, string>;

/** Writes a value for a segment of a path. */
type PathStyle = (name: string, value: unknown) => string;

/** Writes a value as pairs of a query. */
type QueryStyle = (name: string, value: unknown) => string[];

type HeaderStyle = (name: string, value: unknown) => string;

type Encode = (value: unknown) => string;

/** A value as text. What is inside of another value, where the style has no form for that, is JSON. */
const plain: Encode = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

const encoded: Encode = (value) => encodeURIComponent(plain(value));

/** Leaves the signs of a URL as they are, but for those that would end the value. */
const reserved: Encode = (value) =>
  encoded(value).replace(/%(?:2F|3A|3B|3D|3F|40|24|2C)/g, (sign) => decodeURIComponent(sign));

/** Encodes the signs of a literal text or a delimiter that stands beside the value, even those that a URL may have. */
function guarded(beside: string): Encode {
  return (value) =>
    encoded(value).replace(/[!'()*\\-.~_]/g, (sign) =>
      beside.includes(sign) ? \`%\${sign.charCodeAt(0).toString(16).toUpperCase()}\` : sign,
    );
}

function styleOf<Style>(styles: Record<string, Style>, name: string): Style | undefined {
  return Object.hasOwn(styles, name) ? styles[name] : undefined;
}

function isSet([, value]: [string, unknown]): boolean {
  return value !== undefined && value !== null;
}

/** There is no text for some values in some places: better none is sent than that of another value. */
function cannotWrite(name: string, why: string): TypeError {
  return new TypeError(\`The parameter \${name} cannot be written: \${why}.\`);
}

/** The members of a list or an object as they stand between separators: names and values, or name=value when exploded. */
function parts(value: unknown, explode: boolean, encode: Encode): string[] {
  // Null is nothing in a list, as in RFC 6570.
  if (Array.isArray(value)) return value.filter((item) => item !== undefined && item !== null).map(encode);
  if (typeof value !== "object" || value === null) return [encode(value)];
  return Object.entries(value)
    .filter(isSet)
    .flatMap(([key, member]) =>
      explode ? [\`\${encode(key)}=\${encode(member)}\`] : [encode(key), encode(member)],
    );
}

/** The members of a list or an object with a separator between them, which an encoded one has nothing of. */
function joined(name: string, value: unknown, explode: boolean, encode: Encode, separator = ","): string {
  const members = parts(value, explode, encode);
  if (typeof value === "object" && members.length === 1 && members[0] === "") {
    throw cannotWrite(name, "a list of one empty text has the text of an empty list");
  }
  if (typeof value === "object" && members.some((member) => member.includes(separator))) {
    throw cannotWrite(name, \`\${JSON.stringify(decodeURIComponent(separator))} parts its members, and one of them holds it\`);
  }
  return members.join(separator);
}

${path === "styled" ? WRITE_STYLED_PATH : WRITE_PATH}

/** Writes path parameters in a style of OpenAPI; \`beside\` is the text that stands in the same segment. */
function inPath(style: string, beside: string): PathStyle {
  return (name, value) => writePathValue(name, value, style, beside);
}

function writePathValue(name: string, value: unknown, style: string, beside: string): string {
  const explode = style.endsWith("*");
  const encode = guarded(beside);
  if (style === "json") return encode(JSON.stringify(value));
  if (style.startsWith("label")) {
    const dotted = explode && typeof value === "object";
    return \`.\${joined(name, value, explode, dotted ? guarded(\`\${beside}.\`) : encode, dotted ? "." : ",")}\`;
  }
  if (!style.startsWith("matrix")) return joined(name, value, explode, encode);
  const key = encodeURIComponent(name);
  if (explode && typeof value === "object") {
    const members = parts(value, true, encode);
    return members.length === 0 ? \`;\${key}\` : members.map((part) => (Array.isArray(value) ? \`;\${key}=\${part}\` : \`;\${part}\`)).join("");
  }
  const text = joined(name, value, false, encode);
  return text === "" ? \`;\${key}\` : \`;\${key}=\${text}\`;
}

function writeQuery(query: Values${styles(query, "QueryStyle")}): string {
  return Object.entries(query)
    .filter(isSet)
    .flatMap(([name, value]) => ${query === "styled" ? "(styleOf(styles, name) ?? inPairs)(name, value)" : "inPairs(name, value)"})
    .join("&");
}

/** A pair for a value, for each item of a list and for each member of an object. */
function inPairs(name: string, value: unknown, encode: Encode = encoded): string[] {
  const members: Values = typeof value === "object" ? { ...value } : { [name]: value };
  return Object.entries(members)
    .filter(isSet)
    .map(([key, member]) => \`\${encodeURIComponent(Array.isArray(value) ? name : key)}=\${encode(member)}\`);
}

/** Writes query parameters in a style of OpenAPI. */
function inQuery(written: string): QueryStyle {
  const [style = "", allowed] = written.split(/(?=\\+)/);
  const encode = allowed ? reserved : encoded;
  return (name, value) => {
    const key = encodeURIComponent(name);
    if (style === "json") return [\`\${key}=\${encode(JSON.stringify(value))}\`];
    if (typeof value !== "object" || value === null || style === "form") return inPairs(name, value, encode);
    if (style === "deepObject") return writeDeep(name, key, value, encode);
    const separators: Record<string, string> = { comma: ",", spaceDelimited: "%20", pipeDelimited: "%7C" };
    // A comma in a value is encoded, whatever else may stay.
    const part: Encode = (member) => encode(member).replaceAll(",", "%2C");
    return [\`\${key}=\${joined(name, value, false, part, separators[style])}\`];
  };
}

/** \`filter[color]=red&filter[tags][0]=a\`: OpenAPI has no form for what nests, this is the one that most servers read. */
function writeDeep(name: string, key: string, value: unknown, encode: Encode): string[] {
  if (typeof value !== "object" || value === null) return [\`\${key}=\${encode(value)}\`];
  return Object.entries(value)
    .filter(isSet)
    .flatMap(([member, inner]) => {
      if (member === "" || /[[\\]]/.test(member)) throw cannotWrite(name, "a name in it is empty or has brackets");
      return writeDeep(name, \`\${key}%5B\${encodeURIComponent(member)}%5D\`, inner, encode);
    });
}

function writeHeaders(headers: Values${styles(headers, "HeaderStyle")}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(isSet)
      .map(([name, value]) => [name, ${headers === "styled" ? "styleOf(styles, name)?.(name, value) ?? plain(value)" : "plain(value)"}]),
  );
}

/** Writes headers in a style of OpenAPI, which encodes nothing there. */
function inHeader(style: string): HeaderStyle {
  return (name, value) =>
    style === "json" ? writeAscii(JSON.stringify(value)) : joined(name, value, style.endsWith("*"), plain);
}

/** JSON has a form of its own for what HTTP does not allow. */
function writeAscii(json: string): string {
  return json.replace(/[^ -~]/g, (sign) => \`\\\\u\${sign.charCodeAt(0).toString(16).padStart(4, "0")}\`);
}

function writeCookies(cookies: Values, styles: Styles): Record<string, string> {
  const pairs = Object.entries(cookies)
    .filter(isSet)
    .flatMap(([name, value]) => {
      const style = styleOf(styles, name) ?? "";
      const encode = style.startsWith("cookie") ? cookieText(name) : encoded;
      const key = encodeURIComponent(name);
      if (style === "json") return [\`\${key}=\${encode(JSON.stringify(value))}\`];
      if (!style.endsWith("*") || typeof value !== "object") return [\`\${key}=\${joined(name, value, false, encode)}\`];
      // A cookie for each: the ampersand of OpenAPI 3.1 is no delimiter of cookies, as 3.2 has it.
      return parts(value, true, encode).map((part) => (Array.isArray(value) ? \`\${key}=\${part}\` : part));
    });
  return pairs.length > 0 ? { Cookie: pairs.join("; ") } : {};
}

/** The style cookie encodes nothing: what would end the cookie cannot be in it. */
function cookieText(name: string): Encode {
  return (value) => {
    const text = plain(value);
    if (/[^!-~]|[;,]/.test(text)) throw cannotWrite(name, "its style encodes nothing, and a cookie cannot hold all of it");
    return text;
  };
}

function readHeaders(headers: Headers, readers: HeaderReaders): Values {
  return Object.fromEntries(
    Object.entries(readers).flatMap(([name, read]) => {
      const text = headers.get(name);
      return text === null ? [] : [[name, read(text, headers)] as const];
    }),
  );
}

/** Cookies are the one header whose lines cannot be joined by commas. */
function asCookies(_: string, headers: Headers): string[] {
  return headers.getSetCookie();
}

function asJson(text: string): unknown {
  return JSON.parse(text);
}

function asBoolean(text: string): boolean {
  return text === "true";
}

function asNumberOrBoolean(text: string): number | boolean {
  return /^(?:true|false)$/.test(text) ? asBoolean(text) : Number(text);
}

function itemsOf(text: string): string[] {
  return text === "" ? [] : text.split(",").map((item) => item.trim());
}

function asList(read: (text: string) => unknown): (text: string) => unknown[] {
  return (text) => itemsOf(text).map((item) => read(item));
}

/** An object, whose members are text where \`readers\` does not say otherwise. */
function asObject(explode: boolean, readers: Record<string, (text: string) => unknown>): (text: string) => Values {
  return (text) => {
    const items = itemsOf(text);
    const pairs = explode
      ? items.map((item) => [item.slice(0, item.indexOf("=")), item.slice(item.indexOf("=") + 1)] as const)
      : items.flatMap((key, index) => (index % 2 === 0 ? [[key, items[index + 1] ?? ""] as const] : []));
    return Object.fromEntries(pairs.map(([key, item]) => [key, (styleOf(readers, key) ?? String)(item)]));
  };
}
`;
}
