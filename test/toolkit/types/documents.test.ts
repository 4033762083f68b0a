import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { emitTypes } from "../../../scripts/emit/types/types.js";
import { loadDocument } from "../../../scripts/load/load.js";
import { buildApi } from "../../../scripts/model/build.js";
import type { JsonObject } from "../../../scripts/json.js";
import { build, documentWith } from "../model/document.js";
import { PROJECT } from "../../support/api-document.js";
import { findSkipReason, type Needs, SPECS } from "../../support/documents.js";
import { type Findings, findNever } from "./never.js";
import { testUnless } from "../../support/requirements.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const DOCUMENTS: { file: string; needs?: Needs }[] = [
  { file: "superset.json" },
  { file: "opencode.yaml" },
  { file: "openai.yaml", needs: "all" },
  { file: "rebilly.yaml", needs: "all" },
  { file: "github.json", needs: "all" },
];

function findIn(types: string): Findings {
  const folder = createTemporaryFolder();
  const file = path.join(folder, "types.ts");
  writeFileSync(file, types);
  return findNever(file);
}

const typesOf = (...[api]: Parameters<typeof emitTypes>): string => emitTypes(api).files[0]?.content ?? "";

test("finds unintended `never` types, and ignores intended ones", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      a: { allOf: [{ type: "string" }, { type: "number" }] },
      b: { type: "array", items: { type: "string" } },
    },
  };
  const { never, looked } = findIn(
    typesOf(build(documentWith({}, { components: { schemas: { Thing: schema } } }))),
  );
  expect(never).toEqual(["components.schemas.Thing.a"]);
  expect(looked).toBeGreaterThan(3);
});

describe("no type of a published document is `never`", () => {
  test("or of the project's own document", async () => {
    const loaded = await loadDocument(path.join(PROJECT, "spec/openapi.yaml"));
    expect(findIn(typesOf(buildApi(loaded.document, loaded.locate).api))).toMatchObject({
      never: [],
      complaints: [],
    });
  });

  for (const { file, needs } of DOCUMENTS) {
    const why = findSkipReason(path.join(SPECS, file), needs);
    if (why !== undefined) console.log(`Skipped the types of ${file}: ${why}.`);
    testUnless(why)(file, async () => {
      const loaded = await loadDocument(path.join(SPECS, file));
      const { never, complaints, looked } = findIn(typesOf(buildApi(loaded.document, loaded.locate).api));
      console.log(`${file}: ${looked} types inspected, ${never.length} of them never.`);
      expect(complaints).toEqual([]);
      expect(never).toEqual([]);
    });
  }
});
