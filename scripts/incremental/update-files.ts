import { isDeepStrictEqual } from "node:util";
import { DiagnosticError, type Position } from "../diagnostic.js";
import type { EmitContext, Emitter, GeneratedFile } from "../emit/emitter.js";
import { runEmitters } from "../emit/run-emitters.js";
import type { JsonObject } from "../json.js";
import { buildApi } from "../model/build.js";
import type { HandlerGroup } from "../model/model.js";
import { mergeExcerpt, MergeConflict } from "./merge.js";
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

/** A complete generation without problems, to which a change of the document can be applied. */
export interface Baseline {
  document: JsonObject;
  context: EmitContext;
  groups: readonly HandlerGroup[];
  files: readonly GeneratedFile[];
  /** Set by `updateFiles`. */
  last?: Update;
}

/** The results of an update that the next one needs. */
interface Update {
  units: Units;
  references: ReferencesByUnit;
  selected: ReadonlySet<string>;
  excerpt: Excerpt;
}

/** Maximum share of affected units. Generating more of them twice would take longer than generating everything once. */
const MAX_SHARE = 1 / 3;

/**
 * Generates the files of a document from those of an earlier version. Generates only the units that the change affects, with
 * everything that they refer to, once as they were and once as they are, and applies the difference to the complete files.
 *
 * @returns undefined if this is not possible, or would not be faster than generating everything
 */
export async function updateFiles(
  baseline: Baseline,
  document: JsonObject,
  emitters: readonly Emitter[],
  context: EmitContext,
  locate: (pointer: string) => Position,
): Promise<Baseline | undefined> {
  const { last } = baseline;
  const before = { document: baseline.document, units: last?.units ?? listUnits(baseline.document) };
  const after = { document, units: listUnits(document) };
  const changed = findChangedUnits(before, after);
  if (!changed || !isDeepStrictEqual(context, baseline.context)) return undefined;
  const older = last?.references ?? findReferences(before.units);
  const references = older && findReferences(after.units, changed, older);
  if (!older || !references) return undefined;
  const selected = selectAffectedUnits(changed, older, references);
  if (selected.size > after.units.size * MAX_SHARE || sharesRoute(after.units, selected)) return undefined;
  const emit = async (whole: JsonObject): Promise<Excerpt | undefined> =>
    emitExcerpt(pickUnits(whole, selected), emitters, context, locate);
  const isSameSelection = last && isDeepStrictEqual(selected, last.selected);
  const previous = isSameSelection ? last.excerpt : await emit(before.document);
  const excerpt = previous && (await emit(document));
  const files = excerpt && mergeFiles(previous, excerpt, baseline.files);
  return (
    files && { ...baseline, document, files, last: { units: after.units, references, selected, excerpt } }
  );
}

/** The handlers and files of an excerpt of a document. */
interface Excerpt {
  handlers: string;
  files: readonly GeneratedFile[];
}

/** Generates the files of an excerpt; undefined if it has a problem, whose message must refer to the whole document. */
async function emitExcerpt(
  document: JsonObject,
  emitters: readonly Emitter[],
  context: EmitContext,
  locate: (pointer: string) => Position,
): Promise<Excerpt | undefined> {
  try {
    const { api, warnings } = buildApi(document, locate);
    const { files, problems } = await runEmitters(emitters, api, context);
    const handlers = JSON.stringify(pickHandlers(api.groups));
    return warnings.length + problems.length === 0 ? { handlers, files } : undefined;
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

/** Picks the properties of handlers that adapters depend on, so that the model can be discarded. */
export function pickHandlers(groups: readonly HandlerGroup[]): HandlerGroup[] {
  return groups.map(({ name, interfaceName, operations }) => ({
    name,
    interfaceName,
    operations: operations.map(({ name: operation, method, path, summary }) => ({
      name: operation,
      method,
      path,
      summary,
    })),
  }));
}

function mergeFiles(
  before: Excerpt,
  after: Excerpt,
  whole: readonly GeneratedFile[],
): GeneratedFile[] | undefined {
  if (before.handlers !== after.handlers) return undefined;
  try {
    return whole.map(({ path, content }, index) => {
      const [older, newer] = [before.files[index], after.files[index]];
      if (older?.path !== path || newer?.path !== path) throw new MergeConflict();
      return { path, content: mergeExcerpt(older.content, newer.content, content) };
    });
  } catch (error) {
    if (error instanceof MergeConflict) return undefined;
    throw error;
  }
}
