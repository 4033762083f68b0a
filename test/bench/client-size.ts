import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ApiDocument, PROJECT } from "../support/api-document.js";

/** Most that the whole client may have, min+gzip: so many times openapi-fetch, and so many bytes, 25 for each operation. */
export const MOST = { times: 1.5, bytes: 1548 + 25 * ApiDocument.committed().operations().length };

/** Measured programs: whole modules, and programs that use a part of the client. */
const WHOLE = (module: string): string => `import * as all from "${module}"; globalThis.all = all;`;
const CLIENT = "./src/client/index.js";
export const PROGRAMS = {
  openapiFetch: WHOLE("openapi-fetch"),
  client: WHOLE(CLIENT),
  oneFunction: `import { connect, retrievePage } from "${CLIENT}";
    globalThis.read = (options, page_id) => retrievePage(connect(options), { path: { page_id } });`,
  query: `import { connect, filter, paginate, queryDatabase } from "${CLIENT}";
    globalThis.read = (options, path) =>
      paginate(connect(options), queryDatabase, { path, body: { filter: filter.checkbox("Done").equals(true) } });`,
};

/** A program with all that it imports as one minified module for browsers. */
export async function bundle(program: string): Promise<string> {
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

/** Bytes of each program, minified and compressed. */
export async function measureSizes(): Promise<Record<keyof typeof PROGRAMS, number>> {
  const size = async (program: string): Promise<number> =>
    gzipSync(await bundle(program), { level: 9 }).length;
  const { openapiFetch, client, oneFunction, query } = PROGRAMS;
  return {
    openapiFetch: await size(openapiFetch),
    client: await size(client),
    oneFunction: await size(oneFunction),
    query: await size(query),
  };
}
