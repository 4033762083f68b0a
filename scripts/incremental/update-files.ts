import { isDeepStrictEqual } from "node:util";
import { DiagnosticError, type Problem } from "../diagnostic.js";
import type { EmitContext } from "../emit/emitter.js";
import type { GeneratedFile } from "../emit/generated-file.js";
import type { JsonObject } from "../json.js";
import type { HandlerGroup } from "../model/model.js";
import { mergeExcerpt, MergeConflictError } from "./merge.js";
import {
  findChangedUnits,
  findReferences,
  listUnits,
  pickUnits,
  type ReferencesByUnit,
  selectAffectedUnits,
  sharesRoute,
  type Units,
} from "./units.js";

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
  /** Set by `updateFiles`. */
  lastUpdate?: Update;
}

/** The results of an update that the next one reuses. This saves 5 to 10 % of its processor time for GitHub's document. */
interface Update {
  units: Units;
  references: ReferencesByUnit;
  selected: ReadonlySet<string>;
  excerpt: GeneratedOutput;
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
  const { lastUpdate } = previous;
  const before = { document: previous.document, units: lastUpdate?.units ?? listUnits(previous.document) };
  const after = { document, units: listUnits(document) };
  const changed = findChangedUnits(before, after);
  if (!changed || !isDeepStrictEqual(context, previous.context)) return undefined;
  const referencesBefore = lastUpdate?.references ?? findReferences(before.units);
  const references = referencesBefore && findReferences(after.units, changed, referencesBefore);
  if (!referencesBefore || !references) return undefined;
  const selected = selectAffectedUnits(changed, referencesBefore, references);
  if (selected.size > after.units.size * MAX_SHARE || sharesRoute(after.units, selected)) return undefined;
  const emit = async (whole: JsonObject): Promise<GeneratedOutput | undefined> =>
    generate(pickUnits(whole, selected)).catch((error: unknown) => {
      // An error of an excerpt is ignored, because its message must refer to the whole document.
      if (!(error instanceof DiagnosticError)) throw error;
      return undefined;
    });
  const isSameSelection = lastUpdate && isDeepStrictEqual(selected, lastUpdate.selected);
  const excerptBefore = isSameSelection ? lastUpdate.excerpt : await emit(before.document);
  const excerpt = excerptBefore && (await emit(document));
  const files = excerpt && mergeFiles(excerptBefore, excerpt, previous.files);
  return (
    files && {
      ...previous,
      document,
      files,
      lastUpdate: { units: after.units, references, selected, excerpt },
    }
  );
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
