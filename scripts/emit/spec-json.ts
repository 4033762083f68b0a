import type { Api, GeneratedFile } from "../model/model.js";

/** openapi.json: the bundled document, in the order of the source. */
export function emitSpecJson(api: Api): GeneratedFile[] {
  return [{ path: "openapi.json", content: `${JSON.stringify(api.document, null, 2)}\n` }];
}
