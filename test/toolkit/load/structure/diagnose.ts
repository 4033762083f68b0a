import path from "node:path";
import { type Diagnostic, DiagnosticError } from "../../../../scripts/diagnostic.js";
import { loadDocument } from "../../../../scripts/load/load.js";
import { createFolder } from "../documents.js";

/** Loads a minimal 3.0 document with additional members, and returns its diagnostics. */
export async function diagnose(members: object): Promise<Diagnostic[]> {
  const document = { openapi: "3.0.3", info: { title: "a", version: "1" }, paths: {}, ...members };
  const folder = await createFolder({ "openapi.json": JSON.stringify(document) });
  return loadDocument(path.join(folder, "openapi.json")).then(
    ({ warnings }) => warnings,
    (error: unknown) => {
      if (error instanceof DiagnosticError) return error.diagnostics;
      throw error;
    },
  );
}

/** Lists each diagnostic as `error` or `warning` and its pointer. */
export async function locateDiagnostics(members: object): Promise<string[]> {
  const found = await diagnose(members);
  return found.map(({ severity, position }) => `${severity} ${position?.pointer}`);
}

export function withOperation(members: object): object {
  return { paths: { "/a": { get: { responses: { "200": { description: "ok" } }, ...members } } } };
}

export function withSchema(members: unknown): object {
  return { components: { schemas: { A: members } } };
}
