/** The part of client.ts that writes parameters and reads headers. It is the same for every document. */
export const CLIENT_WIRE = `
type Values = Record<string, unknown>;
/** How parameters are written by name: a style of OpenAPI, with a star when exploded, a plus when reserved signs stay. */
type Styles = Record<string, string>;
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

function styleOf(styles: Styles, name: string): string {
  return Object.hasOwn(styles, name) ? (styles[name] ?? "") : "";
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

function writePath(template: string, values: Values, styles: Styles): string {
  const path = template.replace(/\\{([^{}]+)\\}/g, (_, name: string, start: number) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null) throw cannotWrite(name, "the path needs it");
    const segment = template.slice(template.lastIndexOf("/", start) + 1).split("/", 1)[0] ?? "";
    const beside = segment.replace(/\\{[^{}]+\\}/g, "");
    const text = writePathValue(name, value, styleOf(styles, name) || "simple", beside);
    if (text === "") throw cannotWrite(name, "a path has no empty segments");
    return text;
  });
  // Whoever reads the URL would leave them out, and call something else.
  if (/\\/(?:\\.|%2e){1,2}(?:\\/|$)/i.test(path)) throw new TypeError(\`\${path} cannot be sent: URLs have no segments . and ..\`);
  return path;
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

function writeQuery(query: Values, styles: Styles): string {
  const separators: Values = { comma: ",", spaceDelimited: "%20", pipeDelimited: "%7C" };
  return Object.entries(query)
    .filter(isSet)
    .flatMap(([name, value]) => {
      const [style = "", allowed] = styleOf(styles, name).split(/(?=\\+)/);
      const encode = allowed ? reserved : encoded;
      const write = (key: string, member: unknown) => \`\${encodeURIComponent(key)}=\${encode(member)}\`;
      if (style === "json") return [write(name, JSON.stringify(value))];
      if (typeof value !== "object" || value === null) return [write(name, value)];
      if (style === "deepObject") return writeDeep(name, encodeURIComponent(name), value, encode);
      const separator = separators[style];
      if (typeof separator === "string") {
        // A comma in a value is encoded, whatever else may stay.
        const part: Encode = (member) => encode(member).replaceAll(",", "%2C");
        return [\`\${encodeURIComponent(name)}=\${joined(name, value, false, part, separator)}\`];
      }
      if (Array.isArray(value)) return parts(value, true, encode).map((part) => \`\${encodeURIComponent(name)}=\${part}\`);
      return Object.entries(value).filter(isSet).map(([key, member]) => write(key, member));
    })
    .join("&");
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

function writeHeaders(headers: Values, styles: Styles): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(isSet)
      .map(([name, value]) => [name, writeHeader(name, value, styleOf(styles, name))]),
  );
}

/** OpenAPI encodes nothing in a header. JSON has a form of its own for what HTTP does not allow. */
function writeHeader(name: string, value: unknown, style: string): string {
  if (style !== "json") return joined(name, value, style.endsWith("*"), plain);
  return JSON.stringify(value).replace(/[^ -~]/g, (sign) => \`\\\\u\${sign.charCodeAt(0).toString(16).padStart(4, "0")}\`);
}

function writeCookies(cookies: Values, styles: Styles): Record<string, string> {
  const pairs = Object.entries(cookies)
    .filter(isSet)
    .flatMap(([name, value]) => {
      const style = styleOf(styles, name);
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

function readHeaders(headers: Headers, types: HeaderTypes): Values {
  const found = Object.entries(types).flatMap(([name, type]) => {
    const text = headers.get(name);
    if (text === null) return [];
    // Cookies are the one header whose lines cannot be joined by commas.
    const lines = /^set-cookie$/i.test(name) && type !== "string" ? headers.getSetCookie() : undefined;
    return [[name, lines ?? readHeader(text, type)] as const];
  });
  return Object.fromEntries(found);
}

function readHeader(text: string, type: HeaderType): unknown {
  if (type === "string") return text;
  if (type === "json") return JSON.parse(text);
  const items = text === "" ? [] : text.split(",").map((item) => item.trim());
  if (typeof type === "object") {
    const pairs = type.explode
      ? items.map((item) => [item.slice(0, item.indexOf("=")), item.slice(item.indexOf("=") + 1)] as const)
      : items.flatMap((key, index) => (index % 2 === 0 ? [[key, items[index + 1] ?? ""] as const] : []));
    return Object.fromEntries(pairs.map(([key, item]) => [key, readScalar(item, type.properties[key])]));
  }
  return type.endsWith("s") ? items.map((item) => readScalar(item, type.slice(0, -1))) : readScalar(text, type);
}

function readScalar(text: string, type: string | undefined): unknown {
  if (type === "numberOrBoolean") return /^(?:true|false)$/.test(text) ? text === "true" : Number(text);
  return type === "number" ? Number(text) : type === "boolean" ? text === "true" : text;
}
`;
