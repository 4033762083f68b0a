import { expect, test } from "vitest";
import { listParsedBodies } from "../../../scripts/emit/validators/message-validators.js";
import { build, documentWith, operationWith } from "../model/document.js";
import { compileSchema } from "./compiled.js";

test("a schema that describes a file in a multipart body describes a text in a form", () => {
  const schema = { type: "object", properties: { a: { type: "string", maxLength: 3 } } };
  const createBody = (name: string, encoding = {}) =>
    operationWith({
      requestBody: { content: { [name]: { schema: { $ref: "#/components/schemas/A" }, encoding } } },
    });
  const paths = {
    "/file": { post: createBody("multipart/form-data", { a: { contentType: "image/png" } }) },
    "/text": { post: createBody("application/x-www-form-urlencoded") },
  };
  const api = build(documentWith(paths, { components: { schemas: { A: schema } } }));
  const accepted = api.operations.map(({ path, body }) => [
    path,
    listParsedBodies(api, body?.mediaTypes ?? []).map((each) => compileSchema(each.schema)({ a: "long" })),
  ]);
  expect(accepted).toEqual([
    ["/file", [true]],
    ["/text", [false]],
  ]);
});
