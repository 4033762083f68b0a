import type { Store } from "../../../../src/storage/engine/store.js";
import { newId } from "../../../../src/domain/ids.js";
import type { StoredProperties, StoredValue } from "../../../../src/domain/properties/stored-values.js";
import {
  createSchema,
  type Option,
  type PropertyDefinition,
  type Schema,
  VALUE_TRAITS,
} from "../../../../src/domain/schema.js";
import { parseRichTextRun } from "../../../../src/domain/rich-text.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import { insertPropertyRows, insertPropertyValues } from "../../../../src/storage/pages/property-values.js";
import type { Tables } from "../../../../src/storage/tables.js";
import { indexPageTexts } from "../../../../src/storage/pages/text-index.js";
import { insertWorkspace } from "../../../../src/storage/access/workspaces.js";
import { emptyDatabase, plainProperty } from "../../../support/objects.js";
import type { Random } from "../../../support/random.js";
import { ROLLUP_FUNCTIONS } from "../../../support/rollup-functions.js";
import { foldText, toStorableText } from "../../../../src/domain/text.js";
import { chunk, getIds } from "../../../../src/lists.js";

/** A page of the random data, with its stored values and related pages. */
export interface WorldPage {
  readonly id: string;
  readonly createdTime: number;
  readonly lastEditedTime: number;
  readonly createdBy: string;
  readonly lastEditedBy: string;
  readonly inTrash: boolean;
  readonly properties: StoredProperties;
  /** Related pages of the other database, including those in the trash. */
  readonly links: readonly string[];
}

/** Two databases with random pages: `main` has a relation to `other`, and rollups with all functions. */
export interface World {
  readonly workspaceId: string;
  readonly users: ReadonlyMap<string, string>;
  readonly main: { readonly id: string; readonly schema: Schema; readonly pages: readonly WorldPage[] };
  readonly other: { readonly id: string; readonly schema: Schema; readonly pages: readonly WorldPage[] };
}

/** The current time of the world, a Wednesday. */
export const NOW = Date.UTC(2026, 4, 6, 14, 30, 15, 250);
const DAY = 86_400_000;

/** Texts that are difficult for SQL, patterns and comparisons; some are prefixes of others. */
export const TEXTS = [
  "Alpha",
  "alpha",
  "ALPHA beta",
  "Álpha",
  "a\u0301lpha",
  "Straße",
  "STRAẞE",
  "ΠΡΟΣ",
  "προσφορά",
  "J\u030c",
  "İstanbul",
  "100%",
  "100",
  "under_score",
  "underXscore",
  "back\\slash",
  "'; drop table pages; --",
  '"double" quotes',
  "$.json[0].path",
  "?",
  "$1",
  "new\nline",
  "日本語",
  "🧭 compass",
  "🧭",
  "\ud7ff",
  "\uffff",
  "\u{10ffff}",
  "nul \0 in it",
  " ",
  "x".repeat(128),
  `${"x".repeat(128)}y`,
  `${"X".repeat(200)}%_`,
  `${"🧭".repeat(130)}End`,
];

function option(name: string, rank: number): Option {
  return { id: `o${rank}`, name, color: "gray", description: null, rank };
}

const OPTIONS = ["Later", "Now", "Soon", "o1", "It's; --"].map(option);

/** Creates a property of each type except relations and rollups. */
export function createDefinitions(): PropertyDefinition[] {
  const common = { description: null };
  return [
    plainProperty("title", "Name", "title"),
    plainProperty("text", "Text", "rich_text"),
    plainProperty("link", "Link", "url"),
    plainProperty("mail", "Mail", "email"),
    plainProperty("phon", "Phone", "phone_number"),
    plainProperty("numb", "Number", "number"),
    plainProperty("tick", "Tick", "checkbox"),
    plainProperty("date", "Date", "date"),
    plainProperty("folk", "Folk", "people"),
    plainProperty("file", "File", "files"),
    plainProperty("crea", "Created", "created_time"),
    plainProperty("edit", "Edited", "last_edited_time"),
    plainProperty("crby", "Creator", "created_by"),
    plainProperty("edby", "Editor", "last_edited_by"),
    { ...common, id: "uniq", name: "Unique", type: "unique_id", prefix: null },
    { ...common, id: "sele", name: "Select", type: "select", options: OPTIONS },
    { ...common, id: "stat", name: "Status", type: "status", options: OPTIONS, groups: [] },
    { ...common, id: "mult", name: "Multi", type: "multi_select", options: OPTIONS },
  ];
}

/** Creates a rollup with each function, for a property that it supports. */
function createRollups(random: Random): PropertyDefinition[] {
  const relation = { id: "rela", name: "Related" };
  const any = [
    "title",
    "text",
    "numb",
    "tick",
    "date",
    "folk",
    "file",
    "sele",
    "mult",
    "crea",
    "crby",
    "uniq",
  ];
  const numbers = getIds(createDefinitions().filter(({ type }) => VALUE_TRAITS[type].kind === "number"));
  return ROLLUP_FUNCTIONS.map((name, index): PropertyDefinition => {
    let targets = any;
    if (["sum", "average", "median", "min", "max", "range"].includes(name)) targets = [...numbers, "text"];
    if (name.includes("date")) targets = ["date", "edit", "text"];
    if (name.includes("checked")) targets = ["tick", "tick", "text"];
    // Without texts, dates and files, whose index rows do not distinguish all values.
    if (name === "unique") targets = ["numb", "tick", "sele", "mult", "folk", "crby"];
    return {
      id: `r${index}`,
      name: `Rollup ${name}`,
      description: null,
      type: "rollup",
      relationId: relation.id,
      propertyId: random.pick(targets),
      function: name,
    };
  });
}

/** Creates a world and writes it to a store. */
export async function createWorld(store: Store, random: Random, size: number): Promise<World> {
  const workspaceId = newId();
  const otherId = newId();
  const users = new Map(["Ann", "bob", "Cid", "ann", "Élan"].map((name) => [newId(), name]));
  const other = { id: otherId, schema: createSchema(createDefinitions()) };
  const relation: PropertyDefinition = {
    id: "rela",
    name: "Related",
    description: null,
    type: "relation",
    databaseId: otherId,
    syncedPropertyId: null,
  };
  const main = {
    id: newId(),
    schema: createSchema([...createDefinitions(), relation, ...createRollups(random)]),
  };
  const createPages = (count: number, targets: readonly WorldPage[]): WorldPage[] =>
    Array.from({ length: count }, (_, index) =>
      createPage(
        random,
        index,
        [...users.keys()],
        targets.map((page) => page.id),
      ),
    );
  const otherPages = createPages(12, []);
  const mainPages = createPages(size, otherPages);
  await store.write(workspaceId, async (scope) => {
    await insertWorkspace(scope.db, {
      id: workspaceId,
      name: workspaceId,
      plan: "free",
      customRequestLimit: null,
      createdTime: 0,
    });
    const people = [...users].map(([id, name]) => ({
      workspace_id: workspaceId,
      id,
      type: "person" as const,
      name,
      email: null,
      avatar_url: null,
      created_time: 0,
    }));
    await scope.db.insertInto("users").values(people).execute();
    for (const { id, schema, pages } of [
      { ...other, pages: otherPages },
      { ...main, pages: mainPages },
    ]) {
      await insertDatabase(scope, emptyDatabase({ id, schema }));
      for (const part of chunk(pages, 500)) {
        const rows = part.map((page) => toRow(workspaceId, id, page));
        await scope.db.insertInto("pages").values(rows).execute();
      }
      for (const page of pages) await indexPageTexts(scope, page, schema.definitions, { isNew: true });
      await insertPropertyValues(
        scope,
        pages.map((page) => ({ id: page.id, databaseId: id, properties: page.properties })),
        schema.definitions,
      );
      await insertPropertyRows(
        scope.db,
        pages.flatMap((page) =>
          page.links.map((target, ordinal) => ({
            workspace_id: workspaceId,
            page_id: page.id,
            database_id: id,
            property_id: relation.id,
            ordinal,
            text_key: target,
            number_key: null,
            end_key: null,
          })),
        ),
      );
    }
  });
  return {
    workspaceId,
    users,
    main: { ...main, pages: mainPages },
    other: { ...other, pages: otherPages },
  };
}

function toRow(workspaceId: string, databaseId: string, page: WorldPage): Tables["pages"] {
  return {
    workspace_id: workspaceId,
    id: page.id,
    parent_type: "database_id",
    parent_id: databaseId,
    created_time: page.createdTime,
    last_edited_time: page.lastEditedTime,
    created_by: page.createdBy,
    last_edited_by: page.lastEditedBy,
    in_trash: page.inTrash ? 1 : 0,
    trash_root: page.inTrash ? page.id : null,
    version: 0,
    plain_title: toStorableText(getText(page.properties.title)),
    title_text: foldText(getText(page.properties.title)),
    icon: null,
    cover: null,
    properties: JSON.stringify(page.properties),
  };
}

/** Returns the text of a stored rich text value. */
function getText(value: StoredValue | undefined): string {
  if (!Array.isArray(value)) return "";
  return value.map((run) => (typeof run === "object" && "plain_text" in run ? run.plain_text : "")).join("");
}

export function randomDate(random: Random): string {
  const date = new Date(NOW + random.integer(-500, 500) * (DAY / random.pick([1, 1, 8, 40])));
  switch (random.integer(0, 3)) {
    case 0:
      return `${date.toISOString().slice(0, 19)}-05:30`;
    case 1:
      return date.toISOString();
    default:
      return date.toISOString().slice(0, 10);
  }
}

/** Numbers that many representations cannot store exactly. */
export const HARD_NUMBERS = [0.1, 1e300, -1e-300, 2 ** 53, 0.1 + 0.2, 5e-324];

/** Generates a number with up to two decimals, as users enter them. */
export function randomNumber(random: Random): number {
  return random.pick([0, 1, -1, 2, 3, 10, 0.25, -0.5, 2.5, 2 ** 40, 0.1, 0.2, 0.3, 0.7, -4.35, 1234.56]);
}

function createPage(
  random: Random,
  index: number,
  users: readonly string[],
  targets: readonly string[],
): WorldPage {
  const properties: Record<string, StoredValue> = {};
  const set = (id: string, make: () => StoredValue): void => {
    if (random.chance(0.75)) properties[id] = make();
  };
  const pickSome = <T>(items: readonly T[]): T[] => random.some(items, 0.4);
  const richText = (): StoredValue => {
    const mention = parseRichTextRun({ mention: { user: { id: random.pick(users) } } });
    const text = parseRichTextRun({ text: { content: random.pick(TEXTS) } });
    return random.pick([[text], [text], [text], [mention], [mention, text]]);
  };
  set("title", richText);
  set("text", richText);
  for (const id of ["link", "mail", "phon"]) set(id, () => random.pick(TEXTS));
  set("numb", () =>
    targets.length > 0 && random.chance(0.3) ? random.pick(HARD_NUMBERS) : randomNumber(random),
  );
  set("tick", () => random.chance(0.5));
  set("date", () => {
    const dates = [randomDate(random), randomDate(random)];
    const [start = "", end = ""] = dates.toSorted((one, other) => Date.parse(one) - Date.parse(other));
    return { start, end: random.chance(0.3) ? end : null, time_zone: null };
  });
  set("folk", () => random.shuffle(pickSome(users)));
  set("file", () =>
    pickSome(["b.pdf", "A.png", "ä"]).map((name) => ({
      name,
      type: "external" as const,
      external: { url: "https://files.example.org/1" },
    })),
  );
  properties.uniq = index + 1;
  set("sele", () => random.pick(OPTIONS).id);
  set("stat", () => random.pick(OPTIONS).id);
  set("mult", () => random.shuffle(pickSome(OPTIONS)).map((each) => each.id));
  const createdTime = NOW + random.integer(-400, 30) * DAY * random.pick([1, 1, 0.01]);
  return {
    id: newId(),
    createdTime: Math.round(createdTime),
    lastEditedTime: Math.round(createdTime) + random.pick([0, 0, 1, DAY]),
    createdBy: random.pick(users),
    lastEditedBy: random.pick(users),
    inTrash: random.chance(0.1),
    properties,
    links: random.chance(0.7) ? random.shuffle(random.some(targets, 0.3)) : [],
  };
}
