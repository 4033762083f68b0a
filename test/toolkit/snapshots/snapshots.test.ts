import path from "node:path";
import { describe, expect, test } from "vitest";
import { findSkipReason, SPECS } from "../../support/documents.js";
import { findTypeErrors } from "../generate/generated.js";
import {
  DOCUMENTS,
  generateArtifacts,
  HASHED,
  hashFiles,
  readHashes,
  readSnapshot,
  SNAPSHOTS,
} from "./snapshots.js";
import { testUnless } from "../../support/requirements.js";

const UPDATE = "the generated code differs from the snapshot; run `npm run snapshots` and review the diff";

describe("generated code equals the committed snapshot", () => {
  test.each(Object.entries(DOCUMENTS))("%s", async (name, spec) => {
    const generated = await generateArtifacts(spec, path.join(SNAPSHOTS, name));
    const committed = readSnapshot(name);
    expect(Object.keys(committed).sort(), UPDATE).toEqual(Object.keys(generated).sort());
    for (const [file, content] of Object.entries(generated)) {
      expect(content, `${name}/${file}: ${UPDATE}`).toBe(committed[file]);
    }
  });

  test.each(["typescript", "typescript-7"] as const)(
    "and %s compiles it under strict settings",
    (compiler) => {
      const sources = Object.keys(DOCUMENTS).flatMap((name) =>
        Object.keys(readSnapshot(name))
          .filter((file) => file.endsWith(".ts"))
          .map((file) => path.join(SNAPSHOTS, name, file)),
      );
      expect(sources.length).toBeGreaterThan(5 * Object.keys(DOCUMENTS).length - 1);
      expect(findTypeErrors(sources, compiler)).toEqual([]);
    },
  );
});

describe("generated code of large documents has the committed hashes", () => {
  for (const document of HASHED) {
    const small = document === "superset.json" || document === "opencode.yaml";
    const why = findSkipReason(path.join(SPECS, document), small ? undefined : "1");
    if (why !== undefined) console.log(`Skipped the hashes of ${document}: ${why}.`);
    testUnless(why)(document, async () => {
      expect(await hashFiles(document), UPDATE).toEqual(readHashes()[document]);
    });
  }
});
