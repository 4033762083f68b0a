import type { Api, Emission } from "../../model/model.js";

/** Emits openapi.json: the bundled document, with its members in the order of the source. */
export function emitOpenapiJson(api: Api): Emission {
  const content = `${JSON.stringify(api.document, null, 2)}\n`;
  return { files: [{ path: "openapi.json", content }], problems: [] };
}
