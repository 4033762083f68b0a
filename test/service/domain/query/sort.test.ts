import { expect, test } from "vitest";
import { parseSorts } from "../../../../src/domain/query/sort.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { plainProperty } from "../../../support/objects.js";

test("sorts that repeat a key are omitted, and earlier ones take precedence", () => {
  const number = plainProperty("numb", "Number", "number");
  const code = plainProperty("code", "Code", "rich_text");
  const schema = createSchema([number, code]);
  const sorts = [
    { property: "Number", direction: "descending" },
    { timestamp: "created_time", direction: "ascending" },
    { property: "Code", direction: "ascending" },
    { property: "numb", direction: "ascending" },
    { timestamp: "created_time", direction: "descending" },
  ] as const;
  expect(parseSorts(sorts, { schema, getRelatedSchema: () => undefined })).toEqual([
    { key: { kind: "number", property: number }, descending: true },
    { key: { kind: "time", column: "created_time" }, descending: false },
    { key: { kind: "text", property: code }, descending: false },
  ]);
});
