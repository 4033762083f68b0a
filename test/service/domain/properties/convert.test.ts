import { expect, test } from "vitest";
import { createConverter } from "../../../../src/domain/properties/convert.js";
import type { StoredProperties } from "../../../../src/domain/properties/stored-values.js";
import { type PropertyDefinition } from "../../../../src/domain/schema.js";
import { emptyPage, plainProperty, plainRun } from "../../../support/objects.js";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";

const text = plainProperty("text", "Text", "rich_text");
const select: PropertyDefinition = { ...text, type: "select", options: [] };

/** Converts the texts of several pages. */
function convertAll(to: PropertyDefinition, texts: readonly string[]) {
  const converter = createConverter(text, to);
  const values = texts.map((content) => {
    const properties: StoredProperties = { text: [plainRun(content)] };
    return converter.convert(emptyPage("database", { properties }), new Map());
  });
  const { definition } = converter;
  return { values, options: definition !== null && "options" in definition ? definition.options : [] };
}

test("text is converted to at most 100 options; further text is dropped", () => {
  const texts = [...Array.from({ length: 101 }, (_, index) => `Text ${index}`), "Text 0"];
  const { values, options } = convertAll(select, texts);
  expect(options).toHaveLength(100);
  expect(values[99]).toBe(options[99]?.id);
  expect(values[100]).toBeUndefined();
  expect(values[101]).toBe(options[0]?.id);
});

test("commas separate the options of a text, and an option that is repeated is chosen once", () => {
  const { values, options } = convertAll({ ...text, type: "multi_select", options: [] }, ["a, b,a"]);
  expect(options.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(values).toEqual([options.map(({ id }) => id)]);
});

test("numeric text is converted, with or without thousands separators", () => {
  const texts = ["1,234.5", "-12,345,678", "-3", "+.5", "5.", "1e3", "1E-2", " 7\n"];
  const { values } = convertAll(plainProperty("text", "Text", "number"), texts);
  expect(values).toEqual([1234.5, -12_345_678, -3, 0.5, 5, 1000, 0.01, 7]);
});

test.each(["1,23", "1.2.3", ".", "--1", "1e", "0x10", "1e999", "twelve", ""])(
  "%s is not converted to a number, because it is none",
  (content) => {
    expect(convertAll(plainProperty("text", "Text", "number"), [content]).values).toEqual([undefined]);
  },
);

test("text is converted to a checkbox, which only some words and marks tick", () => {
  const convert = (...texts: string[]) => convertAll(plainProperty("text", "Text", "checkbox"), texts).values;
  expect(convert("yes", "TRUE", " 1\n", "X", "✓")).toEqual([true, true, true, true, true]);
  expect(convert("no", "0", "yes!", "a yes", "11", "")).toEqual([
    false,
    false,
    false,
    false,
    false,
    undefined,
  ]);
});

test("a number is converted to a checkbox, which every other number than 0 ticks", () => {
  const converter = createConverter(
    plainProperty("text", "Text", "number"),
    plainProperty("text", "Text", "checkbox"),
  );
  const stored: StoredProperties[] = [{ text: 0 }, {}, { text: -1 }, { text: 1 }];
  const values = stored.map((properties) =>
    converter.convert(emptyPage("database", { properties }), new Map()),
  );
  expect(values).toEqual([false, false, true, true]);
});

test("a user that the service has set is converted to people, also as text", () => {
  const page = emptyPage("database", { createdBy: "ada", lastEditedBy: "bob" });
  const names = new Map([
    ["ada", "Ada"],
    ["bob", "Bob"],
  ]);
  const convertTo = (type: "people" | "rich_text") =>
    (["created_by", "last_edited_by"] as const).map((from) =>
      createConverter(plainProperty("who", "Who", from), plainProperty("who", "Who", type)).convert(
        page,
        names,
      ),
    );
  expect(convertTo("people")).toEqual([["ada"], ["bob"]]);
  expect(convertTo("rich_text")).toEqual([[plainRun("Ada")], [plainRun("Bob")]]);
});

test("long text is divided into runs of at most 2000 UTF-16 units", () => {
  const title = plainProperty("text", "Text", "title");
  const { values } = convertAll(title, ["a".repeat(2000), `${"a".repeat(2000)}b`]);
  expect(values).toEqual([[plainRun("a".repeat(2000))], [plainRun("a".repeat(2000)), plainRun("b")]]);
});

test.each(["3,14159", "0,125", "1,2345", "1234,567", "1,234,5", ",123", "1.000,500"])(
  "%s is not converted to a number, because its comma may be a decimal one",
  (content) => {
    expect(convertAll(plainProperty("text", "Text", "number"), [content]).values).toEqual([undefined]);
  },
);

test("a unique id is converted to its number without the prefix, or to text with it", () => {
  const convertTo = (to: PropertyDefinition, prefix: string | null) =>
    createConverter({ ...text, type: "unique_id", prefix }, to).convert(
      emptyPage("database", { properties: { text: 7 } }),
      new Map(),
    );
  expect(convertTo(plainProperty("text", "Text", "number"), "TASK")).toBe(7);
  expect(convertTo(text, "TASK")).toEqual([plainRun("TASK-7")]);
  expect(convertTo(text, null)).toEqual([plainRun("7")]);
});

test.each([
  [
    { start: "2026-05-04T10:00", end: "2026-05-05", time_zone: "Europe/Berlin" },
    "2026-05-04T08:00:00.000Z → 2026-05-05",
  ],
  [{ start: "2026-05-04T10:00+05:30", end: null, time_zone: "Europe/Berlin" }, "2026-05-04T10:00+05:30"],
])("a date in a time zone is converted to a text with the same time", (date, expected) => {
  const properties = { text: date };
  const converter = createConverter(plainProperty("text", "Text", "date"), text);
  const runs = converter.convert(emptyPage("database", { properties }), new Map());
  expect(runs).toEqual([plainRun(expected)]);
});

test.each(["created_time", "last_edited_time"] as const)("%s is converted to a text", (type) => {
  const converter = createConverter(plainProperty("time", "Time", type), text);
  const page = emptyPage("database", { createdTime: 1000, lastEditedTime: 2000 });
  const expected = type === "created_time" ? "1970-01-01T00:00:01.000Z" : "1970-01-01T00:00:02.000Z";
  expect(converter.convert(page, new Map())).toEqual([plainRun(expected)]);
});

test("matching text is converted to URLs, files, phone numbers and e-mail addresses", () => {
  const email = plainProperty("text", "Text", "email");
  const longest = "x".repeat(200);
  expect(convertAll(email, [longest, `${longest}x`, "a@b.c\nBcc: d@e.f"]).values).toEqual([
    longest,
    undefined,
    undefined,
  ]);
  const phone = plainProperty("text", "Text", "phone_number");
  expect(convertAll(phone, [longest, `${longest}x`]).values).toEqual([longest, undefined]);
  const url = "https://example.org/a";
  expect(convertAll(plainProperty("text", "Text", "files"), [url, "a"]).values).toEqual([
    [{ name: url, type: "external", external: { url } }],
    undefined,
  ]);
});

test("text is converted to the status with this name, without spaces around it", () => {
  const done = { id: "done", name: "Done", color: "green", description: null, rank: 0 } as const;
  const status: PropertyDefinition = { ...text, type: "status", options: [done], groups: [] };
  expect(convertAll(status, [" Done\n", "Later"]).values).toEqual(["done", undefined]);
});

test("text is converted to the dates that requests can send", () => {
  const texts = [
    "2026-05-04",
    "2026-05-04 → 2026-05-06",
    "2026-05-04T10:00",
    "2026-05-06 → 2026-05-04",
    "2026-05-04 → 2026-05-05 → 2026-05-06",
    "2026-02-30",
  ];
  expect(convertAll(plainProperty("text", "Text", "date"), texts).values).toEqual([
    { start: "2026-05-04", end: null, time_zone: null },
    { start: "2026-05-04", end: "2026-05-06", time_zone: null },
    { start: "2026-05-04T10:00:00.000+00:00", end: null, time_zone: null },
    undefined,
    undefined,
    undefined,
  ]);
});

test("the time to convert a long text of digits does not grow with the square of its length", async () => {
  // It takes milliseconds instead of 40 s.
  await expectCpuTimeBelow(2000, () => {
    const { values } = convertAll(plainProperty("text", "Text", "number"), [`${"1".repeat(200_000)}x`]);
    expect(values).toEqual([undefined]);
  });
});
