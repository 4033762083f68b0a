import { expect, test } from "vitest";
import type { Change } from "../../../../scripts/project/diff/change.js";
import { formatReport } from "../../../../scripts/project/diff/report.js";

/** Creates a change of the new document at a path. */
function createChange(path: string, rest: Partial<Change> = {}): Change {
  const position = { file: "a.yaml", line: 1, col: 2, pointer: "" };
  return {
    kind: "modified",
    bump: "patch",
    path,
    reasons: [],
    newSide: { pointer: "", position, value: 1 },
    ...rest,
  };
}

const NEW = { file: "a.yaml", toDisplayName: (file: string) => file };

/** Lists the descriptions of changes in the order of the report. */
function listDescriptions(...changes: Change[]): string[] {
  const lines = formatReport(changes, NEW, NEW).split("\n");
  return lines.filter((_, index) => index < 2 * changes.length && index % 2 === 0);
}

test("changes are sorted by their bump, and then by their path", () => {
  const found = listDescriptions(
    createChange("#/paths/~1b"),
    createChange("#/paths/~1a"),
    createChange("#/paths/~1c", { bump: "major" }),
  );
  expect(found).toEqual(["major  /c: modified", "patch  /a: modified", "patch  /b: modified"]);
});

test.each<[string, Partial<Change>, string]>([
  ["#/paths/~1a~1{b}/get/summary", {}, "GET /a/{b}: modified  (summary)"],
  ["#/paths/~1a/query/summary", {}, "QUERY /a: modified  (summary)"],
  ["#/paths/~1a/parameters/0", { property: "name" }, "/a: modified  (parameters › 0 › name)"],
  ["#/paths/~1a/get", { property: "key", kind: "added" }, "GET /a: added"],
  ["#/components/schemas/A", { property: "type" }, "modified  (components › schemas › A › type)"],
  ["#/info", {}, "modified  (info)"],
  ["#/", { property: "security" }, "modified  (security)"],
  ["#/paths/~1a\u001b", {}, "/a\\u001b: modified"],
])("the change of %s %j is described as %s", (path, rest, description) => {
  expect(listDescriptions(createChange(path, rest))).toEqual([`patch  ${description}`]);
});
