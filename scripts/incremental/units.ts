import {
  decodePercent,
  escapePointer,
  isEqual,
  isObject,
  type JsonObject,
  type JsonValue,
  unescapePointer,
} from "../json.js";
import { groupBy } from "../maps.js";
import { removeParameterNames } from "../model/same-route.js";
import { walkGraph } from "../walk-graph.js";

/** The units of a document by JSON pointer: its path items, webhooks and components. */
export type Units = ReadonlyMap<string, JsonValue>;

/** The dependencies of a unit. */
interface UnitReferences {
  /** JSON pointers of the values that the unit refers to. */
  targets: ReadonlySet<string>;
  /** Whether the targets depend on the unit too: it has a discriminator or extends a schema. */
  isMutual: boolean;
}

/** The references of units by JSON pointer. */
export type References = ReadonlyMap<string, UnitReferences>;

/** Sections of a document whose members are units. */
const SECTIONS = ["paths", "webhooks"] as const;

/** Security schemes affect every operation, so they do not count as units. */
const SHARED_COMPONENTS = "securitySchemes";

/** Lists the units of a document. */
export function listUnits(document: JsonObject): Units {
  const units = new Map<string, JsonValue>();
  const add = (pointer: string, members: JsonValue | undefined): void => {
    if (!isObject(members)) return;
    for (const [key, value] of Object.entries(members)) units.set(`${pointer}/${escapePointer(key)}`, value);
  };
  for (const section of SECTIONS) add(`/${section}`, document[section]);
  const { components } = document;
  for (const [name, members] of isObject(components) ? Object.entries(components) : [])
    if (name !== SHARED_COMPONENTS) add(`/components/${escapePointer(name)}`, members);
  return units;
}

/** Creates a document with some of the units of another one, and everything else in it. */
export function pickUnits(document: JsonObject, isPicked: (pointer: string) => boolean): JsonObject {
  const pick = (pointer: string, members: JsonValue): JsonValue =>
    isObject(members)
      ? Object.fromEntries(
          Object.entries(members).filter(([key]) => isPicked(`${pointer}/${escapePointer(key)}`)),
        )
      : members;
  const result = { ...document };
  for (const section of SECTIONS) {
    const members = document[section];
    if (members !== undefined) result[section] = pick(`/${section}`, members);
  }
  if (isObject(document.components))
    result.components = Object.fromEntries(
      Object.entries(document.components).map(([name, members]) => [
        name,
        name === SHARED_COMPONENTS ? members : pick(`/components/${escapePointer(name)}`, members),
      ]),
    );
  return result;
}

/**
 * Finds the units that differ between two documents.
 *
 * @returns undefined if a unit was added or removed, or if anything else than a unit differs
 */
export function findChangedUnits(
  before: { document: JsonObject; units: Units },
  after: { document: JsonObject; units: Units },
): string[] | undefined {
  const pointers = [...before.units.keys()];
  if (!isEqual(pointers, [...after.units.keys()])) return undefined;
  const isNothing = (): boolean => false;
  if (!isEqual(pickUnits(before.document, isNothing), pickUnits(after.document, isNothing))) return undefined;
  return pointers.filter(
    (pointer) => !isEqual(before.units.get(pointer) ?? null, after.units.get(pointer) ?? null),
  );
}

/**
 * Finds the references of units. Every text that looks like a JSON pointer counts as one.
 *
 * @param pointers the units to search; all of them by default
 * @param known the references of the other units
 * @returns undefined if a unit has a reference of another kind, such as to an `$id` or an anchor
 */
export function findReferences(
  units: Units,
  pointers: Iterable<string> = units.keys(),
  known: References = new Map(),
): References | undefined {
  const references = new Map(known);
  for (const pointer of pointers) {
    const found = readReferences(units.get(pointer) ?? null, pointer);
    if (!found) return undefined;
    references.set(pointer, found);
  }
  return references;
}

/** Keywords that make a schema the target of references that are not JSON pointers. */
const IDENTIFIERS: ReadonlySet<string> = new Set(["$id", "$anchor", "$dynamicAnchor", "$dynamicRef"]);

function readReferences(unit: JsonValue, pointer: string): UnitReferences | undefined {
  const targets = new Set<string>();
  // Only schemas of components count as extensions of others.
  let isMutual = isObject(unit) && unit.allOf !== undefined && pointer.startsWith("/components/schemas/");
  let isSupported = true;
  const visitText = (key: string, text: string): void => {
    if (text.startsWith("#/")) targets.add(findUnitPointer(decodePercent(text.slice(1))));
    else if (key === "$ref" || IDENTIFIERS.has(key)) isSupported = false;
  };
  const visit = (node: JsonObject | JsonValue[]): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "string") visitText(key, value);
      if (typeof value !== "object" || value === null) continue;
      if (key === "discriminator") {
        isMutual = true;
        for (const name of listTexts(value)) targets.add(`/components/schemas/${escapePointer(name)}`);
      }
      visit(value);
    }
  };
  if (typeof unit === "object" && unit !== null) visit(unit);
  return isSupported ? { targets, isMutual } : undefined;
}

/** Lists all texts in a value. */
function listTexts(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** Returns the pointer of the unit that contains a value. */
function findUnitPointer(pointer: string): string {
  const keys = pointer.split("/");
  return keys.slice(0, keys[1] === "components" ? 4 : 3).join("/");
}

/**
 * Selects the units that a change affects, and everything that these depend on. Selects at least one path, because a client
 * without operations is another code.
 *
 * @param changed pointers of the units that have changed
 * @param versions references before and after the change
 */
export function selectAffectedUnits(
  changed: readonly string[],
  versions: readonly References[],
): Set<string> {
  const dependencies = new Map<string, Set<string>>();
  const dependents = new Map<string, Set<string>>();
  const link = (from: string, to: string): void => {
    addToSet(dependencies, from, to);
    addToSet(dependents, to, from);
  };
  for (const references of versions) {
    for (const [pointer, { targets, isMutual }] of references) {
      for (const target of targets) {
        link(pointer, target);
        if (isMutual) link(target, pointer);
      }
    }
  }
  const selected = new Set(walkGraph(changed, (pointer) => dependents.get(pointer) ?? []));
  const isPath = (pointer: string): boolean => pointer.startsWith("/paths/~1");
  if (![...selected].some(isPath)) {
    const countDependencies = (pointer: string): number => dependencies.get(pointer)?.size ?? 0;
    const paths = [...(versions[0]?.keys() ?? [])].filter(isPath);
    const [smallest] = paths.sort((one, other) => countDependencies(one) - countDependencies(other));
    if (smallest !== undefined) selected.add(smallest);
  }
  return new Set(walkGraph(selected, (pointer) => dependencies.get(pointer) ?? []));
}

/** Whether a selected path matches the same requests as another path, so that the code of both depends on both. */
export function sharesRoute(units: Units, selected: ReadonlySet<string>): boolean {
  const paths = [...units.keys()].filter((pointer) => pointer.startsWith("/paths/"));
  const getRoute = (pointer: string): string =>
    removeParameterNames(unescapePointer(pointer.slice("/paths/".length)));
  const pathsByRoute = groupBy(paths, getRoute);
  return [...pathsByRoute.values()].some(
    (group) => group.length > 1 && group.some((pointer) => selected.has(pointer)),
  );
}

function addToSet(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}
