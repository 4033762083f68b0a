import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ApiDocument, PROJECT } from "../support/api-document.js";

/** Size limit of the whole client, min+gzip: a multiple of openapi-fetch plus a number of bytes, 25 per operation. */
export const SIZE_LIMIT = { times: 1.5, bytes: 1548 + 25 * ApiDocument.committed().operations().length };

/** Creates a program that imports everything of a module. */
const importAll = (module: string): string => `import * as all from "${module}"; globalThis.all = all;`;
const CLIENT = "./src/client/index.js";
/** Measured programs: whole modules, and programs that use a part of the client. */
export const PROGRAMS = {
  openapiFetch: importAll("openapi-fetch"),
  client: importAll(CLIENT),
  oneFunction: `import { connect, retrievePage } from "${CLIENT}";
    globalThis.read = (options, page_id) => retrievePage(connect(options), { path: { page_id } });`,
  query: `import { connect, filter, paginate, queryDatabase } from "${CLIENT}";
    globalThis.read = (options, path) =>
      paginate(connect(options), queryDatabase, { path, body: { filter: filter.checkbox("Done").equals(true) } });`,
};

/** Bundles a program and its imports into one minified module for browsers. */
export async function bundleProgram(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: PROJECT, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** Measures the bytes of each program, minified and compressed. */
export async function measureSizes(): Promise<Record<keyof typeof PROGRAMS, number>> {
  const size = async (program: string): Promise<number> =>
    gzipSync(await bundleProgram(program), { level: 9 }).length;
  const { openapiFetch, client, oneFunction, query } = PROGRAMS;
  return {
    openapiFetch: await size(openapiFetch),
    client: await size(client),
    oneFunction: await size(oneFunction),
    query: await size(query),
  };
}
