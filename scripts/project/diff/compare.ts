import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fragmentToPointer } from "../../json.js";
import { type LoadedDocument, loadDocument } from "../../load/load.js";
import { runRedocly } from "../redocly.js";
import { applyBreakingChangeRules } from "./breaking-change-rules.js";
import type { Bump, Change, ChangeSide } from "./change.js";

/** The members of a change in the output of `redocly diff --format json` that are used here. */
interface ReportedChange {
  kind: Change["kind"];
  impact: Bump;
  path: string;
  property?: string;
  verdicts: { ruleId: string; message: string }[];
  /** The part in the old document. */
  base?: ReportedSide;
  /** The part in the new document. */
  revision?: ReportedSide;
}

interface ReportedSide {
  pointer: string;
  value?: unknown;
}

/**
 * Compares two versions of a document with `redocly diff`, and applies our own rules to its result. Both documents are
 * loaded and checked as for a generation, and passed to Redocly in bundled form.
 *
 * @throws DiagnosticError with the problems of either document
 */
export async function compareDocuments(oldFile: string, newFile: string): Promise<Change[]> {
  const oldDocument = await loadDocument(oldFile);
  const newDocument = await loadDocument(newFile);
  const reported = await runRedoclyDiff(oldDocument.document, newDocument.document);
  const changes = reported.map(({ verdicts, impact, base, revision, ...change }): Change => {
    const reasons = verdicts.map(({ ruleId, message }) => ({
      rule: ruleId,
      message: message.replaceAll("`", '"'),
    }));
    return {
      ...change,
      bump: impact,
      reasons,
      ...(base ? { oldSide: createSide(oldDocument, base) } : {}),
      ...(revision ? { newSide: createSide(newDocument, revision) } : {}),
    };
  });
  return applyBreakingChangeRules(changes, oldDocument.document, newDocument.document);
}

function createSide({ locate }: LoadedDocument, { pointer: fragment, value }: ReportedSide): ChangeSide {
  const pointer = fragmentToPointer(fragment);
  return { pointer, position: locate(pointer), value };
}

/** Runs `redocly diff` in an empty folder, so that it finds no configuration file. */
async function runRedoclyDiff(oldDocument: object, newDocument: object): Promise<ReportedChange[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "spec-diff-"));
  try {
    await writeFile(path.join(folder, "old.json"), JSON.stringify(oldDocument));
    await writeFile(path.join(folder, "new.json"), JSON.stringify(newDocument));
    const options = ["--format", "json", "--fail-on", "none", "--lint-config", "off"];
    const { code, stdout, stderr } = runRedocly(["diff", "old.json", "new.json", ...options], folder);
    if (code !== 0) throw new Error(`redocly diff failed:\n${stderr}`);
    // Safe cast: the pinned version of Redocly writes version 1 of the report, which is checked below.
    const report = JSON.parse(stdout) as { reportVersion: string; changes: ReportedChange[] };
    if (report.reportVersion !== "1") throw new Error("redocly diff writes an unknown version of its report");
    return report.changes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
