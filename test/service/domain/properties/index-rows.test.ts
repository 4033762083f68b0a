import { expect, test } from "vitest";
import { createIndexRows } from "../../../../src/domain/properties/index-rows.js";
import type { StoredValue } from "../../../../src/domain/properties/stored-values.js";
import { newId } from "../../../../src/domain/ids.js";
import { parseRichTextRun } from "../../../../src/domain/rich-text.js";
import { type Option, type PropertyDefinition } from "../../../../src/domain/schema.js";
import { plainProperty, plainRun } from "../../../support/objects.js";

const options: Option[] = ["a", "b", "c"].map((id, rank) => ({
  id,
  name: id.toUpperCase(),
  color: "default",
  description: null,
  rank,
}));
const common = { id: "prop", name: "Property", description: null };

/** Returns the keys of a value's rows: text, long text and number. */
function getKeys(property: PropertyDefinition, value?: StoredValue): unknown[][] {
  const rows = createIndexRows(property, value === undefined ? {} : { prop: value });
  expect(rows.map((row) => row.ordinal)).toEqual([...rows.keys()]);
  return rows.map((row) => [row.textKey, row.longText, row.numberKey]);
}

test("text is case-folded; long text is stored with a truncated key", () => {
  const text = plainProperty("prop", "Property", "rich_text");
  expect(getKeys(text, [plainRun("E\u0301cole "), plainRun("ÄB")])).toEqual([["école äb", null, null]]);
  expect(getKeys(text, [])).toEqual([]);
  const mention = parseRichTextRun({ mention: { user: { id: newId() } } });
  expect(getKeys(text, [mention])).toEqual([["\ufffc", null, null]]);
  expect(getKeys(text, [plainRun("To "), mention])).toEqual([["to \ufffc", null, null]]);
  expect(getKeys(text, [plainRun("\0\ud800")])).toEqual([["\ufffd\ufffd", null, null]]);
  expect(getKeys(text, [plainRun("x".repeat(128))])).toEqual([["x".repeat(128), null, null]]);
  const long = "🙂".repeat(129);
  expect(getKeys(text, [plainRun(long)])).toEqual([["🙂".repeat(128), long, null]]);
  expect(getKeys(text, [plainRun("🙂".repeat(128))])).toEqual([["🙂".repeat(128), null, null]]);
  expect(getKeys(plainProperty("prop", "Property", "url"), "https://Example.org")).toEqual([
    ["https://example.org", null, null],
  ]);
});

test("numbers, checkboxes and dates have number keys", () => {
  expect(getKeys(plainProperty("prop", "Property", "number"), -0.5)).toEqual([[null, null, -0.5]]);
  expect(getKeys(plainProperty("prop", "Property", "checkbox"), true)).toEqual([[null, null, 1]]);
  expect(getKeys(plainProperty("prop", "Property", "checkbox"), false)).toEqual([[null, null, 0]]);
  const date = { start: "2026-05-04T10:00:00", end: null, time_zone: "Europe/Berlin" };
  expect(getKeys(plainProperty("prop", "Property", "date"), date)).toEqual([
    [null, null, Date.UTC(2026, 4, 4, 8)],
  ]);
  const [row] = createIndexRows(plainProperty("prop", "Property", "date"), {
    prop: { ...date, end: "2026-05-05" },
  });
  expect(row?.endKey).toBe(Date.UTC(2026, 4, 5));
  expect(getKeys({ ...common, type: "unique_id", prefix: "A" }, 7)).toEqual([[null, null, 7]]);
});

test("options have a row with id and rank; removed options have none", () => {
  expect(getKeys({ ...common, type: "select", options }, "b")).toEqual([["b", null, 1]]);
  expect(getKeys({ ...common, type: "status", options, groups: [] }, "gone")).toEqual([]);
  expect(getKeys({ ...common, type: "multi_select", options }, ["c", "a"])).toEqual([
    ["c", null, 2],
    ["a", null, 0],
  ]);
});

test("people have rows with their ids; empty values have none", () => {
  expect(getKeys(plainProperty("prop", "Property", "people"), ["one", "two"])).toEqual([
    ["one", null, null],
    ["two", null, null],
  ]);
  for (const type of ["title", "number", "checkbox", "date", "people", "files", "created_time"] as const) {
    expect(getKeys(plainProperty("prop", "Property", type))).toEqual([]);
  }
});
