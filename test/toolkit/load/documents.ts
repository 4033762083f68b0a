import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { DiagnosticError, type Diagnostic } from "../../../scripts/diagnostic.js";
import { loadDocument } from "../../../scripts/load/load.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

/** The first lines of a document. */
export const HEAD = 'openapi: 3.0.3\ninfo: {title: a, version: "1"}\n';

/** A document without operations, which more members can follow. */
export const EMPTY = `${HEAD}paths: {}\n`;

/** Creates a folder with the given files, which is removed after the test. */
export async function createFolder(files: Record<string, string>): Promise<string> {
  const folder = createTemporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

/** Returns the diagnostics that a promise rejects with. */
export async function getErrors(promise: Promise<unknown>): Promise<Diagnostic[]> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DiagnosticError)) throw new Error("no DiagnosticError", { cause: error });
  return error.diagnostics;
}

/** Loads one file and returns its diagnostics as `line:col message`. */
export async function listDiagnostics(text: string, name = "openapi.yaml"): Promise<string[]> {
  const folder = await createFolder({ [name]: text });
  const found = await getErrors(loadDocument(path.join(folder, name)));
  return found.map(({ position, message }) => `${position?.line}:${position?.col} ${message}`);
}
