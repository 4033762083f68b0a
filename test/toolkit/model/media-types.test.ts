import { describe, expect, test } from "vitest";
import { built } from "./document.js";

test("examples come from the media type, including references, and then from its schema", () => {
  const examples = {
    own: { value: 1 },
    shared: { $ref: "#/components/examples/Shared" },
    elsewhere: { externalValue: "https://example.test/e.json" },
  };
  const content = { "application/json": { schema: { examples: [3] }, examples, example: 0 } };
  const { body } = built(
    { requestBody: { content } },
    { components: { examples: { Shared: { value: 2 } } } },
  );
  expect(body?.mediaTypes[0]?.examples).toEqual([
    { name: undefined, value: 0 },
    { name: "own", value: 1 },
    { name: "shared", value: 2 },
    { name: undefined, value: 3 },
  ]);
});

describe("media type ranges", () => {
  test.each<[string, unknown]>([
    ["*/*", { prefix: "", suffix: "" }],
    ["image/*", { prefix: "image/", suffix: "" }],
    ["application/*+json; charset=utf-8", { prefix: "application/", suffix: "+json" }],
    ["application/json", undefined],
    ["application/vnd.a*b", undefined],
  ])("%s", (name, range) => {
    const { body } = built({ requestBody: { content: { [name]: {} } } });
    expect(body?.mediaTypes[0]?.range).toEqual(range);
  });
});
