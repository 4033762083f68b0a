import path from "node:path";
import { expect, it } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { expectCpuRatioBelow } from "../../../support/cpu-time.js";
import { createFolder, EMPTY } from "../documents.js";

const listWarnings = async (schemas: string): Promise<string[]> => {
  const head = EMPTY.replace(/openapi: .*/, "openapi: 3.1.0");
  const folder = await createFolder({ "openapi.yaml": `${head}components:\n  schemas:\n${schemas}` });
  const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
  return warnings.map(({ position, message }) => `${position?.line}:${position?.col} ${message}`);
};

it("warns about required properties that are not declared, with a similar one that is optional", async () => {
  const schemas = `
    Pet: {required: [id, nam, owner], properties: {id: {}, name: {}}}
    List: {items: {required: [ids], properties: {id: {}, idle: {}}, additionalProperties: false}}
    Required: {required: [ids], properties: {id: {}, idle: {}, required: {}}}
    Keyword: {properties: {then: {required: [ids], properties: {id: {}}}}}
    Keywords: {properties: {allOf: {properties: {a: {required: [ids], properties: {id: {}}}}}}}
`;
  expect(await listWarnings(schemas)).toEqual([
    '7:26 `properties` does not declare "nam", which is required. Did you mean "name"?',
    '7:31 `properties` does not declare "owner", which is required. Declare or remove it.',
    '8:31 `properties` does not declare "ids", which is required. Did you mean "id"?',
    '9:27 `properties` does not declare "ids", which is required. Did you mean "id"?',
    '10:46 `properties` does not declare "ids", which is required. Did you mean "id"?',
    '11:65 `properties` does not declare "ids", which is required. Did you mean "id"?',
  ]);
});

it("compares many required properties with many declared ones in linear time", async () => {
  const list = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);
  // The same number of properties in few or in many schemas.
  const listSchemas = (count: number, size: number): string => {
    const members = list(size).map((name) => `${name}: {}`);
    const schema = `{required: [${list(size).join()},b], properties: {${members.join()}}}`;
    return list(count)
      .map((name) => `\n    ${name}: ${schema}`)
      .join("");
  };
  const large = listSchemas(4, 9_000);
  const small = listSchemas(360, 100);
  await expectCpuRatioBelow(
    2,
    () => listWarnings(large),
    () => listWarnings(small),
  );
});

it("accepts properties that another schema can declare, any names, and data", async () => {
  const schemas = `
    Base: {allOf: [{required: [a], properties: {b: {}}}], required: [a], properties: {b: {}}}
    Union: {type: object, oneOf: [{required: [a], properties: {b: {}}}]}
    Condition: {then: {required: [a], properties: {b: {}}}}
    Map: {required: [a], properties: {b: {}}, additionalProperties: {type: string}}
    Open: {required: [a], properties: {b: {}}, additionalProperties: true}
    Pattern: {required: [a], properties: {b: {}}, patternProperties: {a: {}}}
    Any: {required: [a]}
    Extension: {$ref: '#/components/schemas/Any', required: [a], properties: {b: {}}}
    Data: {example: {required: [a], properties: {b: {}}}}
`;
  expect(await listWarnings(schemas)).toEqual([]);
});
