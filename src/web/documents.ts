import { readFile } from "node:fs/promises";
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

const ASSET_TYPES: Readonly<Record<string, string>> = {
  "app.css": "text/css; charset=utf-8",
  "content.css": "text/css; charset=utf-8",
  "app.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** Loads a document when it is first requested; all requests share the result. */
export type LoadDocument = () => Promise<StaticResponse | undefined>;

/** Public addresses of the API and of the web application. */
export interface Addresses {
  readonly baseUrl: string;
  readonly appUrl: string;
}

/** Returns the loaders of the style sheets, the script and the icon of pages by path. */
export function createAssets(): ReadonlyMap<string, LoadDocument> {
  return new Map(
    Object.entries(ASSET_TYPES).map(([name, type]) => [
      `/assets/${name}`,
      loadOnce(async () =>
        createStaticResponse(type, await readFile(new URL(`assets/${name}`, import.meta.url))),
      ),
    ]),
  );
}

/** Returns the loaders of the docs and of the OpenAPI document by path. */
export function createDocuments(addresses: Addresses): ReadonlyMap<string, LoadDocument> {
  return new Map([
    ["/docs", loadOnce(() => loadDocs(addresses))],
    [
      "/openapi.json",
      loadOnce(async () =>
        createStaticResponse(
          "application/json; charset=utf-8",
          await readFile(resolvePackageFile("generated/openapi.json")),
        ),
      ),
    ],
  ]);
}

/** Loads the API documentation; undefined when it has not been built. */
async function loadDocs(addresses: Addresses): Promise<StaticResponse | undefined> {
  let docsHtml: string;
  try {
    docsHtml = await readFile(resolvePackageFile("dist/docs.html"), "utf8");
  } catch {
    return undefined;
  }
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
