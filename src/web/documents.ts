import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { locatePackageFile } from "../package-file.js";
import { createStaticResponse, type StaticResponse } from "./static-response.js";

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
      loadFileOnce("application/json; charset=utf-8", locatePackageFile("generated/openapi.json")),
    ],
  ]);
}

function loadFileOnce(type: string, file: URL | string): LoadDocument {
  return loadOnce(async () => createStaticResponse(type, await readFile(file)));
}

/** Loads the API documentation; undefined when it has not been built. */
async function loadDocs(addresses: Addresses): Promise<StaticResponse | undefined> {
  const docsHtml = await readFile(locatePackageFile("dist/docs.html"), "utf8").catch(() => undefined);
  if (docsHtml === undefined) return undefined;
  const body = Buffer.from(fillInAddresses(docsHtml, addresses));
  return createStaticResponse("text/html; charset=utf-8", body, { "Content-Security-Policy": DOCS_POLICY });
}

/** Replaces the placeholders and the example address in the built docs by the addresses of this service. */
function fillInAddresses(docsHtml: string, { baseUrl, appUrl }: Addresses): string {
  // Percent-encoded, which is safe in HTML, in JSON and in code samples.
  const encode = (url: string): string =>
    url.replace(/["'<>&\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
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
