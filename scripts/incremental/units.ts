import {
  decodePercent,
  escapePointer,
  isEqual,
  isObject,
  type JsonObject,
  type JsonValue,
  unescapePointer,
} from "../json.js";
import { getOrCreate, groupBy } from "../maps.js";
import { normalizeLoosely } from "../model/paths/same-route.js";
import { walkGraph } from "../walk-graph.js";

/*
 * Incremental generation: if only some path items, webhooks or components of a document have changed, only these units and
 * the units that depend on them are generated.
 */

/** The units of a document by JSON pointer: its path items, webhooks and components. */
export type Units = ReadonlyMap<string, JsonValue>;

interface UnitReferences {
  /** JSON pointers of the values that the unit refers to. */
  targets: ReadonlySet<string>;
  /** Whether the targets depend on the unit too: it has a discriminator or extends a schema. */
  isMutual: boolean;
}

/** The references of units by JSON pointer of the unit. */
export type ReferencesByUnit = ReadonlyMap<string, UnitReferences>;

/** Security schemes affect every operation, so they do not count as units. */
const SHARED_COMPONENTS = "securitySchemes";

/** Lists the units of a document, in its order. */
export function listUnits(document: JsonObject): Units {
  const units = new Map<string, JsonValue>();
  mapSections(document, (pointer, members) => {
    for (const [key, value] of Object.entries(members)) units.set(`${pointer}/${escapePointer(key)}`, value);
    return members;
  });
  return units;
}

/** Returns a copy of a document that lacks the units that are not picked. */
export function pickUnits(document: JsonObject, picked: ReadonlySet<string>): JsonObject {
  return mapSections(document, (pointer, members) =>
    Object.fromEntries(
      Object.entries(members).filter(([key]) => picked.has(`${pointer}/${escapePointer(key)}`)),
    ),
  );
}

/** Returns a copy of a document with the objects replaced whose members are units. */
function mapSections(
  document: JsonObject,
  replace: (pointer: string, members: JsonObject) => JsonObject,
): JsonObject {
  const mapMembers = (parent: JsonObject, names: readonly string[], pointer: string): JsonObject => {
    const result = { ...parent };
    for (const name of names) {
      const members = parent[name];
      if (isObject(members)) result[name] = replace(`${pointer}/${escapePointer(name)}`, members);
    }
    return result;
  };
  const result = mapMembers(document, ["paths", "webhooks"], "");
  const { components } = document;
  if (!isObject(components)) return result;
  const sections = Object.keys(components).filter((name) => name !== SHARED_COMPONENTS);
  return { ...result, components: mapMembers(components, sections, "/components") };
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
  const none: ReadonlySet<string> = new Set();
  if (!isEqual(pickUnits(before.document, none), pickUnits(after.document, none))) return undefined;
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
  known: ReferencesByUnit = new Map(),
): ReferencesByUnit | undefined {
  const references = new Map(known);
  for (const pointer of pointers) {
    const found = readReferences(units.get(pointer) ?? null);
    if (!found) return undefined;
    references.set(pointer, found);
  }
  return references;
}

/** Keywords of references that are not JSON pointers, and of their targets. */
const NON_POINTER_KEYWORDS: ReadonlySet<string> = new Set(
  "$id $anchor $dynamicAnchor $dynamicRef".split(" "),
);

function readReferences(unit: JsonValue): UnitReferences | undefined {
  const targets = new Set<string>();
  let isMutual = isObject(unit) && unit.allOf !== undefined;
  let isSupported = true;
  const visitText = (key: string, text: string): void => {
    if (text.startsWith("#/")) targets.add(findUnitPointer(decodePercent(text.slice(1))));
    else if (key === "$ref" || NON_POINTER_KEYWORDS.has(key)) isSupported = false;
  };
  const visit = (node: JsonObject | JsonValue[]): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "string") visitText(key, value);
      if (typeof value !== "object" || value === null) continue;
      if (key === "discriminator") {
        isMutual = true;
        // `mapping` can have names of components.
        for (const name of collectStrings(value)) targets.add(`/components/schemas/${escapePointer(name)}`);
      }
      visit(value);
    }
  };
  if (typeof unit === "object" && unit !== null) visit(unit);
  return isSupported ? { targets, isMutual } : undefined;
}

function collectStrings(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(collectStrings) : [];
}

function findUnitPointer(pointer: string): string {
  const keys = pointer.split("/");
  return keys.slice(0, keys[1] === "components" ? 4 : 3).join("/");
}

/**
 * Selects the units that a change affects, and everything that these depend on. Selects at least one path, because emitters
 * print different code for a document without operations.
 */
export function selectAffectedUnits(
  changed: readonly string[],
  before: ReferencesByUnit,
  after: ReferencesByUnit,
): Set<string> {
  const dependencies = new Map<string, Set<string>>();
  const dependents = new Map<string, Set<string>>();
  const link = (from: string, to: string): void => {
    getOrCreate(dependencies, from, () => new Set<string>()).add(to);
    getOrCreate(dependents, to, () => new Set<string>()).add(from);
  };
  for (const [pointer, { targets, isMutual }] of [...before, ...after]) {
    for (const target of targets) {
      // A text that looks like a reference, or a discriminator value, can name a unit that does not exist.
      if (!before.has(target)) continue;
      link(pointer, target);
      if (isMutual) link(target, pointer);
    }
  }
  const selected = new Set(walkGraph(changed, (pointer) => dependents.get(pointer) ?? []));
  const isPath = (pointer: string): boolean => pointer.startsWith("/paths/~1");
  if (![...selected].some(isPath)) {
    const countDependencies = (pointer: string): number => dependencies.get(pointer)?.size ?? 0;
    const paths = [...before.keys()].filter(isPath);
    const [smallest] = paths.sort((one, other) => countDependencies(one) - countDependencies(other));
    if (smallest !== undefined) selected.add(smallest);
  }
  return new Set(walkGraph(selected, (pointer) => dependencies.get(pointer) ?? []));
}

/** Whether a selected path matches the same requests as another path, so that the code of both depends on both. */
export function sharesRoute(units: Units, selected: ReadonlySet<string>): boolean {
  const paths = [...units.keys()].filter((pointer) => pointer.startsWith("/paths/"));
  // Query parameters in a path, such as `{?page}`, are not a part of its route.
  const getRoute = (pointer: string): string =>
    normalizeLoosely(unescapePointer(pointer.slice("/paths/".length)).replace(/\{[?&][^}]*\}/g, ""));
  const pathsByRoute = groupBy(paths, getRoute);
  return [...pathsByRoute.values()].some(
    (group) => group.length > 1 && group.some((pointer) => selected.has(pointer)),
  );
}
