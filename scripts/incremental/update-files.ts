import { isDeepStrictEqual } from "node:util";
import { DiagnosticError, type Problem } from "../diagnostic.js";
import type { EmitContext } from "../emit/emitter.js";
import type { GeneratedFile } from "../emit/generated-file.js";
import type { JsonObject } from "../json.js";
import type { HandlerGroup } from "../model/model.js";
import { mergeExcerpt, MergeConflictError } from "./merge.js";
import { findChangedUnits, listUnits, pickUnits, selectAffectedUnits, sharesRoute } from "./units.js";

/** The handlers, the files and the warnings of a document. */
export interface GeneratedOutput {
  groups: readonly HandlerGroup[];
  files: readonly GeneratedFile[];
  warnings: readonly Problem[];
}

/** A complete generation, to which a change of the document can be applied. */
export interface PreviousGeneration extends GeneratedOutput {
  document: JsonObject;
  context: EmitContext;
}

/** Maximum share of affected units. Generating more of them twice would take longer than generating everything once. */
const MAX_SHARE = 1 / 3;

/**
 * Generates the files of a document from those of an earlier version. Generates only the units that the change affects, with
 * everything that they refer to, once as they were and once as they are, and applies the difference to the complete files.
 *
 * @param generate generates the files of a document, or throws a DiagnosticError
 * @returns undefined if this is not possible, or would not be faster than generating everything
 */
export async function updateFiles(
  previous: PreviousGeneration,
  document: JsonObject,
  context: EmitContext,
  generate: (document: JsonObject) => Promise<GeneratedOutput>,
): Promise<PreviousGeneration | undefined> {
  const before = { document: previous.document, units: listUnits(previous.document) };
  const after = { document, units: listUnits(document) };
  const changed = findChangedUnits(before, after);
  if (!changed || !isDeepStrictEqual(context, previous.context)) return undefined;
  const selected = selectAffectedUnits(changed, before.units, after.units);
  if (!selected || selected.size > after.units.size * MAX_SHARE) return undefined;
  if (sharesRoute(after.units, selected)) return undefined;
  const emit = async (whole: JsonObject): Promise<GeneratedOutput | undefined> =>
    generate(pickUnits(whole, selected)).catch((error: unknown) => {
      // An error of an excerpt is ignored, because its message must refer to the whole document.
      if (!(error instanceof DiagnosticError)) throw error;
      return undefined;
    });
  const excerptBefore = await emit(previous.document);
  const excerptAfter = excerptBefore && (await emit(document));
  const files = excerptAfter && mergeFiles(excerptBefore, excerptAfter, previous.files);
  return files && { ...previous, document, files };
}

function mergeFiles(
  before: GeneratedOutput,
  after: GeneratedOutput,
  whole: readonly GeneratedFile[],
): GeneratedFile[] | undefined {
  if (!isDeepStrictEqual(before.groups, after.groups)) return undefined;
  // A warning that appears or vanishes can have its cause outside the excerpt.
  if (!isDeepStrictEqual(before.warnings, after.warnings)) return undefined;
  try {
    return whole.map(({ path, content }, index) => {
      const [older, newer] = [before.files[index], after.files[index]];
      if (older?.path !== path || newer?.path !== path) throw new MergeConflictError();
      return { path, content: mergeExcerpt(older.content, newer.content, content) };
    });
  } catch (error) {
    if (error instanceof MergeConflictError) return undefined;
    throw error;
  }
}
