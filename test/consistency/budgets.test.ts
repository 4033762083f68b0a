import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { operations } from "../../generated/routes.js";
import * as budgets from "../../src/budgets.js";
import type { HttpOperation } from "../../src/http/index.js";
import { isWrite } from "../../src/service/is-write.js";
import { ROUTES } from "../../src/web/routes.js";

const SOURCE = fileURLToPath(new URL("../../src", import.meta.url));

/** Folders whose limits are not budgets of the service: the data model, published runtimes, and commands of the operator. */
const OTHER_LIMITS = /^(?:budgets|domain|http|fetch|client|cli|storage\/transfer)\//;

/** Constants that limit something else than the use of the service by a request, a job, a connection or a workspace. */
const OTHER_CONSTANTS: readonly string[] = [
  // Values: names, passwords, sessions, numbers, log lines, settings.
  "access/checks.ts MAX_EMAIL_LENGTH",
  "access/checks.ts MAX_NAME_LENGTH",
  "access/keys/keys.ts MAX_OVERLAP_MS",
  "access/workspaces/new-workspace.ts MAX_COUNTED_SUFFIX",
  "access/workspaces/new-workspace.ts MAX_RANDOM_SUFFIX",
  "access/accounts/passwords.ts MAX_PASSWORD_LENGTH",
  "access/accounts/sessions.ts MAX_SESSION_AGE_MS",
  "service/request-log.ts MAX_PATH_LENGTH",
  "storage/query/rollups.ts MAX_COMPUTED_NUMBER",
  "web/render/number.ts MAX_SIGNIFICANT_DIGITS",
  "web/render/number.ts MAX_FRACTION_DIGITS",
  // Delays, and the age of a count.
  "access/accounts/attempt-throttle.ts MAX_DELAY_MS",
  "access/limits/counters.ts MAX_RECONNECT_DELAY_MS",
  "operations/count-storage.ts MAX_AGE_MS",
  // Parameters of statements, cached and retained statements, copied chunks, keys of positions.
  "operations/execution/response-cache.ts MAX_ENTRY_SHARE",
  "storage/pages/text-index.ts MAX_PAGE_TRIGRAMS",
  "storage/engine/sqlite.ts MAX_STATEMENTS",
  "storage/blocks/positions.ts MAX_POSITION_LENGTH",
  "storage/pages/property-values.ts MAX_COMPILED_PROPERTIES",
  "storage/sql-helpers.ts MAX_IDS",
];

test("limits of requests, jobs, connections and workspaces are declared in src/budgets/, see the rule in src/budgets.ts", () => {
  const constants = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".ts") && !OTHER_LIMITS.test(file))
    .flatMap((file) =>
      [
        ...readFileSync(path.join(SOURCE, file), "utf8").matchAll(
          /^(?:export )?const (MAX_\w+|\w+_WAIT_MS)\b/gm,
        ),
      ].map(([, name]) => `${file} ${name}`),
    );
  expect(constants.toSorted()).toEqual(OTHER_CONSTANTS.toSorted());
});

/** Whether an operation retrieves one object, lists objects or writes. These have rows that apply to all others of their kind. */
function isOfCommonKind(operation: HttpOperation): boolean {
  const { method, path: template, parameters } = operation;
  const isRead = template.endsWith("}") || parameters.some(({ name }) => name === "start_cursor");
  return isWrite(operation) || (method === "GET" && isRead);
}

test("src/budgets/README.md names limits of the time, rows and bytes of each operation and route", () => {
  const text = readFileSync(path.join(SOURCE, "budgets/README.md"), "utf8");
  const table = [...text.matchAll(/^\| `.*$/gm)].map(([line]) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)),
  );
  const operationIds = Object.keys(operations);
  const routes = Object.keys(ROUTES);
  const listed = table.flatMap(([names = []]) => names);
  const isListed = (name: string): boolean => listed.includes(name);
  const isKnown = (name: string): boolean => operationIds.includes(name) || routes.includes(name);
  const special = Object.values(operations).filter((operation) => !isOfCommonKind(operation));
  expect(
    [...special.map(({ name }) => name), ...routes].filter((name) => !isListed(name)),
    "operations and routes that need a row",
  ).toEqual([]);
  expect(
    listed.filter((name, index) => !isKnown(name) || listed.indexOf(name) !== index),
    "unknown or repeated names in the first column",
  ).toEqual([]);
  for (const [names, ...limits] of table) {
    expect(limits, String(names)).toHaveLength(3);
    for (const cell of limits) expect(cell, String(names)).not.toHaveLength(0);
    for (const name of limits.flat()) expect(budgets, `a limit of ${String(names)}`).toHaveProperty(name);
  }
});
