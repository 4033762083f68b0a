import path from "node:path";
import { expect, it } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { createFolder, EMPTY } from "../documents.js";

const load = async (schemas: string) => {
  const folder = await createFolder({ "openapi.yaml": `${EMPTY}components:\n  schemas:\n${schemas}` });
  const { document, warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
  return {
    components: document["components"],
    warnings: warnings.map(({ position, message }) => `${position?.line}:${position?.col} ${message}`),
  };
};

it("corrects an enum with values that the type excludes, with a warning", async () => {
  const { components, warnings } = await load(`
    Texts: {type: string, enum: [true, 08, 1.0, two, null]}
    Integers: {type: integer, nullable: true, enum: ["1", "-2", null]}
    Booleans: {type: boolean, enum: ["true", "false"]}
    List: {type: array, items: {type: string}, enum: [a, b]}
    Unclear: {type: integer, enum: [a, "", "1.5", 1.5]}
`);
  const read = (type: string, value: string): string =>
    `This \`enum\` has values that are not of its type, which is ${type}. They are converted, for example to ${value}. Write them like that.`;
  expect(components).toEqual({
    schemas: {
      Booleans: { enum: [true, false], type: "boolean" },
      Integers: { enum: [1, -2, null], nullable: true, type: "integer" },
      List: { items: { enum: ["a", "b"], type: "string" }, type: "array" },
      Texts: { enum: ["true", "08", "1.0", "two", null], type: "string" },
      Unclear: { type: "integer" },
    },
  });
  expect(warnings).toEqual([
    `7:27 ${read("string", '"true"')}`,
    `8:47 ${read("integer", "1")}`,
    `9:31 ${read("boolean", "true")}`,
    "10:48 The values of this `enum` are not lists, so it is read as the `enum` of `items`. Move it there.",
    "11:30 No value of `enum` fits `type`, which is integer, so `enum` is ignored. Correct one of them.",
  ]);
});

it("keeps an enum in data, and one with values that fit beside others that cannot be corrected", async () => {
  const schemas = `
    Data: {example: {type: string, enum: [1]}}
    Property: {type: object, properties: {type: {type: string}, enum: {type: array, items: {}}}}
    Lists: {type: array, items: {type: string}, enum: [[a], [b]]}
    Some: {type: string, enum: [a, [b]]}
    Untyped: {enum: [a, 1]}
    Several: {type: [string, integer], enum: [a, true]}
    OnlyNull: {type: string, nullable: true, enum: [null]}
`;
  const { components, warnings } = await load(schemas);
  expect(components).toMatchObject({
    schemas: {
      Data: { example: { enum: [1], type: "string" } },
      Lists: { enum: [["a"], ["b"]] },
      Some: { enum: ["a", ["b"]] },
      Untyped: { enum: ["a", 1] },
      Several: { enum: ["a", true] },
      OnlyNull: { enum: [null] },
    },
  });
  expect(warnings.filter((warning) => warning.includes("`enum`"))).toEqual([]);
});

it("corrects the default with the values of the enum", async () => {
  const { components } = await load(`
    Level: {type: string, enum: [1, 2], default: 2}
    Flag: {type: boolean, enum: ["true", "false"], default: "false"}
`);
  expect(components).toMatchObject({ schemas: { Level: { default: "2" }, Flag: { default: false } } });
});

it("moves the enum of a list neither to items that other schemas share nor over another enum", async () => {
  const { components, warnings } = await load(`
    First: {type: array, items: &items {type: string}, enum: [a]}
    Other: {type: array, items: *items}
    Second: {type: array, items: *items, enum: [b]}
    Third: {type: array, items: {enum: [c]}, enum: [d]}
`);
  expect(components).toEqual({
    schemas: {
      First: { items: { enum: ["a"], type: "string" }, type: "array" },
      Other: { items: { type: "string" }, type: "array" },
      Second: { items: { enum: ["b"], type: "string" }, type: "array" },
      Third: { items: { enum: ["c"] }, type: "array" },
    },
  });
  expect(warnings[2]).toContain("`enum` is ignored");
});

it("reads no text as an infinite number", async () => {
  const { components } = await load(`
    Numbers: {type: number, enum: ["1.5", "Infinity", "1e999"]}
`);
  expect(components).toMatchObject({ schemas: { Numbers: { enum: [1.5, "Infinity", "1e999"] } } });
});

it("corrects the enum that it moves to the items", async () => {
  const { components, warnings } = await load(`
    List: {type: array, items: {type: integer}, enum: ["1", "2"]}
`);
  expect(components).toEqual({
    schemas: { List: { type: "array", items: { type: "integer", enum: [1, 2] } } },
  });
  expect(warnings).toEqual([
    expect.stringContaining("not of its type, which is integer"),
    expect.stringContaining("is read as the `enum` of `items`"),
  ]);
});

it("corrects each enum, also beyond the warnings that are shown", async () => {
  const names = Array.from({ length: 1_001 }, (_, index) => `A${index}`);
  const { components, warnings } = await load(
    `${names.map((name) => `    ${name}: {format: datetime}\n`).join("")}    Last: {type: string, enum: [08]}\n`,
  );
  expect(components).toMatchObject({ schemas: { Last: { enum: ["08"] } } });
  expect(warnings).toHaveLength(1_000);
});
