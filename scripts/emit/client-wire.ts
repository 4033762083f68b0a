/** The part of client.ts that writes parameters and reads headers. It is the same for every document. */
export const CLIENT_WIRE = `
type Values = Record<string, unknown>;
/** Styles of OpenAPI by name of the parameter; with a star it is exploded. */
type Styles = Record<string, string>;
type Encode = (value: unknown) => string;

const encoded: Encode = (value) => encodeURIComponent(String(value));

function isSet([, value]: [string, unknown]): boolean {
  return value !== undefined && value !== null;
}

/** The members of a list or an object as they stand between separators: names and values, or name=value when exploded. */
function parts(value: unknown, explode: boolean, encode: Encode): string[] {
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== "object" || value === null) return [encode(value)];
  return Object.entries(value)
    .filter(isSet)
    .flatMap(([key, member]) =>
      explode ? [\`\${encode(key)}=\${encode(member)}\`] : [encode(key), encode(member)],
    );
}

/** A value in the style simple, which is that of headers, of cookies but for their name, and of most of a path. */
function simple(value: unknown, style: string, encode: Encode): string {
  if (style === "json") return encode(JSON.stringify(value));
  return parts(value, style.endsWith("*"), encode).join(",");
}

function writePath(template: string, values: Values, styles: Styles): string {
  return template.replace(/\\{([^{}]+)\\}/g, (match: string, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined || value === null ? match : writePathValue(name, value, styles[name] ?? "simple");
  });
}

function writePathValue(name: string, value: unknown, style: string): string {
  const explode = style.endsWith("*");
  if (style.startsWith("label")) return \`.\${parts(value, explode, encoded).join(explode ? "." : ",")}\`;
  if (!style.startsWith("matrix")) return simple(value, style, encoded);
  const start = \`;\${encodeURIComponent(name)}=\`;
  if (!explode) return start + parts(value, false, encoded).join(",");
  const starts = typeof value === "object" && !Array.isArray(value) ? ";" : start;
  return parts(value, true, encoded).map((part) => starts + part).join("");
}

function writeQuery(query: Values, styles: Styles): string {
  const separators: Record<string, string> = { comma: ",", spaceDelimited: "%20", pipeDelimited: "|" };
  return Object.entries(query)
    .filter(isSet)
    .flatMap(([name, value]) => {
      const style = styles[name] ?? "";
      const separator = separators[style];
      const write = (key: string, member: unknown) => \`\${encodeURIComponent(key)}=\${encoded(member)}\`;
      if (style === "json") return [write(name, JSON.stringify(value))];
      if (typeof value !== "object" || value === null) return [write(name, value)];
      if (separator !== undefined) {
        return [\`\${encodeURIComponent(name)}=\${parts(value, false, encoded).join(separator)}\`];
      }
      if (Array.isArray(value)) return value.map((item) => write(name, item));
      return Object.entries(value)
        .filter(isSet)
        .map(([key, member]) => write(style === "deepObject" ? \`\${name}[\${key}]\` : key, member));
    })
    .join("&");
}

function writeHeaders(headers: Values, styles: Styles): Record<string, string> {
  const set = Object.entries(headers).filter(isSet);
  return Object.fromEntries(set.map(([name, value]) => [name, simple(value, styles[name] ?? "", String)]));
}

function writeCookies(cookies: Values, styles: Styles): Record<string, string> {
  const set = Object.entries(cookies).filter(isSet);
  const pairs = set.map(([name, value]) => \`\${name}=\${encodeURIComponent(simple(value, styles[name] ?? "", String))}\`);
  return pairs.length > 0 ? { Cookie: pairs.join("; ") } : {};
}

function readHeaders(headers: Headers, types: HeaderTypes): Values {
  const result: Values = {};
  for (const [name, type] of Object.entries(types)) {
    const text = headers.get(name);
    if (text !== null) result[name] = readHeader(text, type);
  }
  return result;
}

function readHeader(text: string, type: HeaderTypes[string]): unknown {
  if (type === "number") return Number(text);
  if (type === "boolean") return text === "true";
  if (type === "json") return JSON.parse(text);
  if (type === "string") return text;
  const items = text === "" ? [] : text.split(",").map((item) => item.trim());
  return type === "numbers" ? items.map(Number) : items;
}
`;
