import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Diagnostic, DiagnosticError, hasErrors } from "../../../scripts/diagnostic.js";
import { defaultEmitters, responseValidators } from "../../../scripts/emit/registry.js";
import { generateFiles, type Session } from "../../../scripts/generation.js";
import { findValue, isObject, type JsonObject } from "../../../scripts/json.js";
import { loadDocument } from "../../../scripts/load/load.js";
import { Random, takeSeed } from "../../support/random.js";
import { DOCUMENTS } from "../snapshots/snapshots.js";
import { addPadding, EDITS } from "./edits.js";

/** Edits of each document; `EDITS=` sets another number. */
const EDIT_COUNT = Number(process.env.EDITS ?? 23);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "random-edits-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The result of a generation: files, or only diagnostics if there is an error. */
interface Result {
  files: Record<string, string>;
  diagnostics: readonly Diagnostic[];
}

async function generate(spec: string, document: JsonObject, session?: Session): Promise<Result> {
  writeFileSync(spec, JSON.stringify(document, null, 2));
  const options = { spec, out: folder, emitters: [...defaultEmitters(), responseValidators()] };
  try {
    const { files, warnings } = await generateFiles(options, undefined, session);
    const contents = files.map(({ path: file, content }): [string, string] => [file, content]);
    return { files: Object.fromEntries(contents), diagnostics: warnings };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { files: {}, diagnostics: error.diagnostics };
  }
}

/** Loads a document and pads it. */
async function createDocument(source: string): Promise<JsonObject> {
  const document = structuredClone((await loadDocument(source)).document);
  addPadding(document, 10);
  return document;
}

/** A schema with a pattern and its description. */
const CODE = { type: "string", pattern: "^a$", "x-expected": "an a" };

function replaceSchema(document: JsonObject, pointer: string, schema: JsonObject): void {
  const value = findValue(document, pointer);
  if (!isObject(value)) throw new Error(`${pointer} is not in the document.`);
  for (const key of Object.keys(value)) delete value[key];
  Object.assign(value, schema);
}

const seed = takeSeed();
let updates = 0;

test.each(Object.entries(DOCUMENTS))(
  "edits of %s in one session give the files of a new run",
  async (name, source) => {
    const random = new Random(`${name} ${seed}`);
    const spec = path.join(folder, `${name}.json`);
    let document = await createDocument(source);
    const session: Session = {};
    await generate(spec, document, session);
    for (let count = 0; count < EDIT_COUNT; count += 1) {
      const edited = structuredClone(document);
      const edit = random.pick(Object.keys(EDITS));
      EDITS[edit]?.(edited, random);
      const last = session.previous?.lastUpdate;
      const result = await generate(spec, edited);
      expect(await generate(spec, edited, session), `edit ${count}: ${edit}`).toEqual(result);
      if (session.previous?.lastUpdate !== last) updates += 1;
      // A document with an error is corrected by the next edit.
      if (!hasErrors(result.diagnostics)) document = edited;
    }
  },
  300_000,
);

test.each([
  ["response headers", "/paths/~1padding1~1{id}/put/responses/200/headers/ETag/schema", { type: "integer" }],
  ["a pattern", "/components/schemas/Padding1/properties/id", { ...CODE, "x-expected": "one a" }],
])(
  "an edit of %s that another operation has too does not change the other one",
  async (_, pointer, schema) => {
    const spec = path.join(folder, "shared.json");
    const document = await createDocument(DOCUMENTS.library ?? "");
    for (const name of ["Padding1", "Padding2"])
      replaceSchema(document, `/components/schemas/${name}/properties/id`, CODE);
    const session: Session = {};
    await generate(spec, document, session);
    replaceSchema(document, pointer, schema);
    expect(await generate(spec, document, session)).toEqual(await generate(spec, document));
  },
);

test("a warning of an emitter is reported, even if the code stays the same", async () => {
  const spec = path.join(folder, "warning.json");
  const document = await createDocument(DOCUMENTS.library ?? "");
  const pointer = "/components/schemas/Padding1/properties/id";
  replaceSchema(document, pointer, { type: "string" });
  const session: Session = {};
  await generate(spec, document, session);
  replaceSchema(document, pointer, { type: "string", pattern: "(?>a)" });
  expect((await generate(spec, document, session)).diagnostics).toMatchObject([
    { severity: "warning", message: expect.stringContaining("is not checked") },
  ]);
});

test("many of the edits generate a part of the document only", () => {
  expect(updates).toBeGreaterThan((EDIT_COUNT * Object.keys(DOCUMENTS).length) / 5);
});
