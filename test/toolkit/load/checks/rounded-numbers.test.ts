import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { createFolder, EMPTY } from "../documents.js";

describe("integers that JavaScript numbers cannot represent", () => {
  const getWarnings = async (name: string, text: string): Promise<string[]> => {
    const folder = await createFolder({ [name]: text });
    const { warnings } = await loadDocument(path.join(folder, name));
    return warnings.map(({ position, message }) => `${position?.line}:${position?.col} ${message}`);
  };
  const remedy = "JavaScript cannot represent it. Use a number up to 9007199254740991, or a string.";

  it("give one warning each in YAML", async () => {
    const schemas = `components:
  schemas:
    A:
      # 9007199254740995 ${"9".repeat(400)}
      description: 9007199254740993 is not one
      enum: [9007199254740993, 9007199254740992, "9007199254740997", 1]
      multipleOf: 9223372036854775807
      example: -9223372036854775807
      default: 9223372036854776000
    B: {enum: [9007199254740993]}
`;
    expect(await getWarnings("openapi.yaml", EMPTY + schemas)).toEqual([
      `9:14 9007199254740993 is read as 9007199254740992: ${remedy}`,
      `10:7 9223372036854775807 is read as 9223372036854775808: ${remedy}`,
      `11:7 -9223372036854775807 is read as -9223372036854775808: ${remedy}`,
    ]);
  });

  it("give no warning as inclusive bounds, because the values that are compared with them are rounded, too", async () => {
    const schemas = `components:
  schemas:
    Int64: {type: integer, minimum: -9223372036854775807, maximum: 9223372036854775807}
    UInt64: {items: {maximum: 18446744073709551615}}
    Exclusive: {maximum: 9223372036854775805, exclusiveMaximum: true}
    Data: {example: {maximum: 9223372036854775803}}
`;
    expect(await getWarnings("openapi.yaml", EMPTY + schemas)).toEqual([
      `8:17 9223372036854775805 is read as 9223372036854775808: ${remedy}`,
      `9:22 9223372036854775803 is read as 9223372036854775808: ${remedy}`,
    ]);
  });

  it("are counted if there are too many", async () => {
    const many = Array.from({ length: 1002 }, () => "9007199254740993").join();
    const text = `${EMPTY}components: {schemas: {A: {enum: [${many}]}}}\n`;
    expect(await getWarnings("openapi.yaml", text)).toEqual([
      "1:1 2 more integers of this size were not checked.",
      expect.stringMatching(/^4:\d+ 9007199254740993 is read as/),
    ]);
  });

  it("give warnings in JSON, including referenced files", async () => {
    const root = { openapi: "3.1.0", info: { title: "a", version: "1" }, paths: {} };
    const text = JSON.stringify({ ...root, components: { schemas: { A: { const: "here" } } } });
    expect(await getWarnings("openapi.json", text.replace('"here"', "18446744073709551615"))).toEqual([
      `1:${text.indexOf('"const"') + 1} 18446744073709551615 is read as 18446744073709551616: ${remedy}`,
    ]);
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: other.json}}}\n`,
      "other.json": '{\n  "enum": [\n    9007199254740993\n  ]\n}\n',
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ position }) => `${position?.file} ${position?.line}:${position?.col}`)).toEqual([
      `${path.join(folder, "other.json")} 3:5`,
    ]);
  });
});
