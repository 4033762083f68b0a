import { readFile } from "node:fs/promises";
import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { chooseEncoding, COMPRESSORS, type Encoding } from "./compression.js";

/** Content security policy of the docs. Redoc is one inline script, which starts a worker from a blob and adds styles. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src data:",
  "worker-src blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Style sheets, font, script and icon of pages, by name: their types, and the locations of those that other packages have. */
const ASSETS: Readonly<Record<string, readonly [type: string, location?: string]>> = {
  "app.css": ["text/css; charset=utf-8"],
  "content.css": ["text/css; charset=utf-8"],
  "app.js": ["text/javascript; charset=utf-8"],
  "icon.svg": ["image/svg+xml"],
  // For equations. The style sheet refers to the font.
  "Temml-Local.css": ["text/css; charset=utf-8", "temml/dist/Temml-Local.css"],
  "Temml.woff2": ["font/woff2", "temml/dist/Temml.woff2"],
};

/** Loads a document when it is first requested; all requests share the result. */
export type LoadDocument = () => Promise<StaticResponse | undefined>;

export interface Addresses {
  readonly baseUrl: string;
  readonly appUrl: string;
}

/** Returns the loaders of the style sheets, the font, the script and the icon of pages by path. */
export function createAssetLoaders(): ReadonlyMap<string, LoadDocument> {
  const require = createRequire(import.meta.url);
  return new Map(
    Object.entries(ASSETS).map(([name, [type, location]]) => {
      const file = location === undefined ? locateAsset(name) : require.resolve(location);
      return [`/assets/${name}`, loadFileOnce(type, file)];
    }),
  );
}

function locateAsset(name: string): URL {
  return new URL(`assets/${name}`, import.meta.url);
}

/** Returns the loaders of the docs, of the OpenAPI document and of the icon by path. */
export function createDocumentLoaders(addresses: Addresses): ReadonlyMap<string, LoadDocument> {
  return new Map([
    ["/docs", loadOnce(() => loadDocs(addresses))],
    // Browsers request it for documents that name no icon.
    ["/favicon.ico", loadFileOnce("image/svg+xml", locateAsset("icon.svg"))],
    [
      "/openapi.json",
      loadFileOnce("application/json; charset=utf-8", resolvePackageFile("generated/openapi.json")),
    ],
  ]);
}

function loadFileOnce(type: string, file: URL | string): LoadDocument {
  return loadOnce(async () => createStaticResponse(type, await readFile(file)));
}

/** Loads the API documentation; undefined when it has not been built. */
async function loadDocs(addresses: Addresses): Promise<StaticResponse | undefined> {
  const docsHtml = await readFile(resolvePackageFile("dist/docs.html"), "utf8").catch(() => undefined);
  if (docsHtml === undefined) return undefined;
  const body = Buffer.from(fillInAddresses(docsHtml, addresses));
  return createStaticResponse("text/html; charset=utf-8", body, { "Content-Security-Policy": DOCS_POLICY });
}

/** Replaces the placeholders and the example address in the built docs by the addresses of this service. */
function fillInAddresses(docsHtml: string, { baseUrl, appUrl }: Addresses): string {
  // Percent-encoded, which is safe in HTML, in JSON and in code samples.
  const encode = (url: string): string => url.replace(/["'<>&\\]/g, encodeURIComponent);
  return docsHtml.replace(/\{base_url\}|\{app_url\}|http:\/\/localhost:3000/g, (found) =>
    encode(found === "{app_url}" ? appUrl : baseUrl),
  );
}

/** Caches the first document that `load` returns. A missing document and an error are not cached. */
export function loadOnce(load: LoadDocument): LoadDocument {
  let loading: ReturnType<LoadDocument> | undefined;
  const forget = (): void => {
    loading = undefined;
  };
  return () => {
    loading ??= load();
    loading.then((document) => document ?? forget(), forget);
    return loading;
  };
}

/** Returns the address of a file of the package. Tests run this module in src/web, the build in dist/src/web. */
function resolvePackageFile(name: string): URL {
  const up = import.meta.url.endsWith(".ts") ? "../../" : "../../../";
  return new URL(`${up}${name}`, import.meta.url);
}

/** A document in memory in all offered encodings, shared by all requests. */
export interface StaticResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

/** Level of the compression. Compared with 9, Brotli takes 20 MB of memory instead of 45, and the docs become 2 % larger. */
const DOCUMENT_LEVEL = 6;

/** Compresses a document once, and derives its ETag. */
export async function createStaticResponse(
  type: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<StaticResponse> {
  const [br, gzip] = await Promise.all([
    COMPRESSORS.br(body, DOCUMENT_LEVEL),
    COMPRESSORS.gzip(body, DOCUMENT_LEVEL),
  ]);
  return {
    headers: {
      "Content-Type": type,
      "Cache-Control": "no-cache",
      // Weak, because all encodings share it.
      ETag: `W/"${hash("sha256", body, "base64url").slice(0, 22)}"`,
      Vary: "Accept-Encoding",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
    bodies: { br, gzip, identity: body },
  };
}

/** Sends a document in the preferred encoding, or 304 when the client has it already. */
export function sendStatic(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, bodies }: StaticResponse,
): void {
  // The server may have refused the request already because of a malformed body.
  if (response.headersSent) return;
  if (matchesEtag(request.headers["if-none-match"], headers.ETag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const encoding = chooseEncoding(request);
  const body = bodies[encoding];
  response.writeHead(200, {
    ...headers,
    ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
    "Content-Length": body.length,
  });
  response.end(body);
}

/** Compares an If-None-Match header with an ETag (RFC 9110, section 13.1.2). */
function matchesEtag(header: string | undefined, etag: string | undefined): boolean {
  return header?.split(",").some((entry) => entry.trim() === etag || entry.trim() === "*") ?? false;
}
