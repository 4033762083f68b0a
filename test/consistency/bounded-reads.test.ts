import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT } from "../support/api-document.js";
import { findSelects } from "./bounded-reads.js";

/** Folders of commands, which stream tables or run before the service. */
const OTHER_FOLDERS = /^src\/storage\/(?:transfer|engine\/migrations)\//;

const LIMITED_BY_CALLER = "the query in a variable gets its limit in the same function";
const ONE_ROW = "an aggregate of one row";
const PAGES_OF_BATCH = "one row for each of the given pages";
const COMMAND = "only commands of the operator read it";

/** SELECTs without a limit in the statement, with the reason why they read few rows. */
const UNLIMITED: Readonly<Record<string, string>> = {
  "src/storage/access/keys.ts findKeys": COMMAND,
  "src/storage/access/keys.ts findKeysByIdPrefixOrHash": COMMAND,
  "src/storage/access/keys.ts selectWorkspaceKeys": LIMITED_BY_CALLER,
  "src/storage/access/request-counts.ts findRequestCounts": "one row for each minute of 25 hours",
  "src/storage/access/workspaces.ts selectVisibleWorkspaces": COMMAND,
  "src/storage/blocks/blocks.ts selectFromChildrenOfParents": "its subquery has a limit",
  "src/storage/blocks/blocks.ts buildHasChildren": "a subquery of EXISTS",
  "src/storage/blocks/blocks.ts selectFromBlocksById": "one row for each of the given ids",
  "src/storage/engine/dialect.ts readCurrentSchema": ONE_ROW,
  "src/storage/jobs.ts findAllJobs": COMMAND,
  "src/storage/trash/trash-roots.ts chooseTrashTime": ONE_ROW,
  "src/storage/pages/page-bytes.ts readLinkBytes": PAGES_OF_BATCH,
  "src/storage/pages/page-bytes.ts readLinkedSums":
    "one row for each of the given pages and of at most MAX_RELATIONS",
  "src/storage/pages/pages.ts countPages": ONE_ROW,
  "src/storage/blocks/positions.ts findGap": LIMITED_BY_CALLER,
  "src/storage/pages/relations.ts findFullPages": PAGES_OF_BATCH,
  "src/storage/pages/read-links.ts readLinks":
    "callers limit the links of each relation, or read their bytes before",
  "src/storage/pages/property-values.ts findStoredPropertyIds":
    "one row for each property of the given pages",
  "src/storage/pages/reverse-links.ts addReverseLinks": "one row for each of the given links",
  "src/storage/pages/reverse-links.ts countLinks": ONE_ROW,
  "src/storage/pages/relations.ts replaceLinks": "the links of one page, at most MAX_VALUES_OF_LINKED_PAGE",
  "src/storage/pages/relations.ts countFreeValues": "values of one page, at most MAX_VALUES_OF_LINKED_PAGE",
  "src/storage/pages/relations.ts replaceReverseLinks": "one row for each of the added links",
  "src/storage/row-sizes.ts readObjectBytes": ONE_ROW,
  "src/storage/blocks/sibling-blocks.ts countListItemsBefore": ONE_ROW,
};

test("every SELECT of the service is limited, selects rows by their ids, or has a reason to read few rows", () => {
  const files = readdirSync(path.join(PROJECT, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => path.posix.join("src", file.split(path.sep).join("/")))
    .filter((file) => file.endsWith(".ts") && !OTHER_FOLDERS.test(file));
  const unlimited = files
    .flatMap((file) => findSelects(file, readFileSync(path.join(PROJECT, file), "utf8")))
    .flatMap(({ location, isBounded }) => (isBounded ? [] : [location]));
  expect(
    unlimited.filter((location) => !(location in UNLIMITED)),
    "SELECTs that need a limit, or a reason in UNLIMITED",
  ).toEqual([]);
  expect(
    Object.keys(UNLIMITED).filter((location) => !unlimited.includes(location)),
    "reasons without a SELECT",
  ).toEqual([]);
});

test.each([
  ["without a condition", `db.selectFrom("pages").selectAll().execute()`, false],
  ["with a limit", `db.selectFrom("pages").selectAll().limit(100).execute()`, true],
  ["by ids", `db.selectFrom("pages").selectAll().where(buildHasAnyId(workspaceId, ids)).execute()`, true],
  ["in parts by ids", `readByIds(ids, db.selectFrom("pages").selectAll())`, true],
  ["of one row", `hasRows(db.selectFrom("pages").selectAll())`, true],
  ["as a template", "sql`select id from pages`.execute(db)", false],
  ["as a template with a limit", "sql`select id from pages limit 10`.execute(db)", true],
])("finds a SELECT %s", (_, statement, isBounded) => {
  const text = `export async function read() { return ${statement}; }`;
  expect(findSelects("file.ts", text)).toEqual([{ location: "file.ts read", isBounded }]);
});

test("a subquery is bounded by the SELECT around it", () => {
  const text = `const read = db.selectFrom("a").where(({ exists }) => exists(db.selectFrom("b"))).limit(1);`;
  expect(findSelects("file.ts", text).map(({ isBounded }) => isBounded)).toEqual([true, true]);
});
