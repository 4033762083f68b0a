import ts from "typescript";
import { expect, test } from "vitest";
import { createIntersection, createTypeName } from "../../../scripts/emit/types/type.js";
import { emitTypes } from "../../../scripts/emit/types/types.js";
import type { JsonObject } from "../../../scripts/json.js";
import { expectCpuTimeBelow } from "../../support/cpu-time.js";
import { build, documentWith, operationWith } from "../model/document.js";

const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Generates types.ts for a document. */
function generateTypes(paths: JsonObject, schemas: JsonObject): string {
  const { files } = emitTypes(build(documentWith(paths, { components: { schemas } })));
  return files[0]?.content ?? "";
}

/** Returns the declaration of a type. */
function findDeclaration(name: string, text: string): string {
  const [, declaration = ""] =
    new RegExp(`((?:/\\*\\*[^/]*\\*/\n)?export type ${name} = [^;]*(?:;\n  [^;]*)*;)`).exec(text) ?? [];
  return declaration;
}

test("each component schema has an exported type, and duplicate names get a number", () => {
  const parameters = [{ name: "q", in: "query", schema: { type: "string" } }];
  const text = generateTypes(
    { "/pages": { get: operationWith({ operationId: "listPages", parameters }) } },
    {
      ListPagesQuery: { type: "boolean" },
      Page: { type: "object" },
      "simple-user": { type: "string" },
      SimpleUser: to("simple-user"),
      paths: {},
      NonNullable: {},
      Record: {},
      "123": {},
    },
  );
  expect(text).toContain("export type SimpleUser = SimpleUser2;");
  expect(text).toContain('"simple-user": SimpleUser2;');
  expect(text).toMatch(/^ {4}Page: Page;$/m);
  expect(text).toMatch(/^ {4}paths: Paths2;$/m);
  expect(text).toMatch(/^ {4}NonNullable: NonNullable2;$/m);
  expect(text).toMatch(/^ {4}Record: Record2;$/m);
  // An operation never renames a schema.
  expect(text).toContain("export type ListPagesQuery = boolean;");
  expect(text).toMatch(/^export (?:type|interface) ListPagesQuery2 /m);
  const names = [...text.matchAll(/^export (?:type|interface) (\S+)/gm)].map(([, name]) =>
    name?.toLowerCase(),
  );
  expect(new Set(names).size).toBe(names.length);
});

test("composed types and their properties keep @deprecated", () => {
  const Old = {
    deprecated: true,
    allOf: [to("Base"), { properties: { a: { oneOf: [to("Base"), { type: "null" }], deprecated: true } } }],
  };
  const text = generateTypes({}, { Base: { type: "object", properties: { b: { type: "string" } } }, Old });
  expect(findDeclaration("Old", text)).toMatch(/^\/\*\* @deprecated \*\/\nexport type Old = Base & \{/);
  expect(findDeclaration("Old", text)).toMatch(/\/\*\* @deprecated \*\/\n {2}a\?: Base \| null;/);
});

test("a scalar type beside composed schemas is part of the type", () => {
  const text = generateTypes({}, { A: { type: "string", allOf: [{ description: "A word." }] } });
  expect(findDeclaration("A", text)).toBe("export type A = string;");
});

test("a description that repeats the title is printed once", () => {
  const text = generateTypes({}, { A: { type: "string", title: "A word.", description: "A word." } });
  expect(findDeclaration("A", text)).toBe("/** A word. */\nexport type A = string;");
});

test("a union of more than 80 characters has one line per alternative", () => {
  const [one, two] = ["a".repeat(36), "b".repeat(37)];
  const print = (values: string[]): string =>
    findDeclaration("A", generateTypes({}, { A: { enum: values } }));
  expect(print([one, two])).toBe(`export type A = "${one}" | "${two}";`);
  expect(print([one, `${two}b`])).toBe(`export type A = \n  | "${one}"\n  | "${two}b";`);
});

test("a response with a blank description has no comment", () => {
  const get = operationWith({ responses: { "200": { description: " \n" } } });
  expect(generateTypes({ "/a": { get } }, {})).not.toContain("/**");
});

test.each<JsonObject>([
  {},
  { title: "T", description: "D" },
  { default: {} },
  { deprecated: true },
  { example: {}, examples: [{}] },
])("a body that is a component, with %j, has the type of the component", (annotations) => {
  const content = { "application/json": { schema: { ...to("Page"), ...annotations } } };
  const post = operationWith({ operationId: "a", requestBody: { content } });
  const text = generateTypes({ "/a": { post } }, { Page: { type: "object" } });
  expect(text).toContain('requestBody?: { content: { "application/json": Page } };');
});

test("a required property is printed where it is declared", () => {
  const declareKind = (value: string): JsonObject => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: value } },
  });
  const generated = generateTypes(
    {},
    {
      Pet: { type: "object", properties: { name: { type: "string" } } },
      Dog: {
        required: ["bark", "name"],
        type: "object",
        allOf: [to("Pet"), { type: "object", properties: { bark: { type: "boolean" } } }],
      },
      Shape: { required: ["kind"], type: "object", anyOf: [to("Square"), to("Circle")] },
      Square: declareKind("square"),
      Circle: declareKind("circle"),
      Line: { required: ["kind", "length"], allOf: [to("Square")] },
      Any: { required: ["kind"], oneOf: [to("Square"), to("Pet")] },
    },
  );
  const text = generated.replace(/\s+/g, " ");
  expect(text).toContain("export type Dog = { name: {} | null; } & Pet & { bark: boolean; };");
  expect(text).toContain("export type Shape = Square | Circle;");
  expect(text).toContain("export type Line = { length: {} | null; } & Square;");
  expect(text).toContain("export type Any = { kind: {} | null; } & (Square | Pet);");
});

test("a union omits itself at any position", () => {
  for (const members of [
    ["Text", "Loop"],
    ["Loop", "Text"],
  ]) {
    const text = generateTypes({}, { Text: { type: "string" }, Loop: { anyOf: members.map(to) } });
    expect(findDeclaration("Loop", text)).toBe("export type Loop = Text;");
  }
});

test("text of the document stays inside its comment and its literals", () => {
  const hostile = "*/ export const x = 1; /*\u2028\u0000`${1}`";
  const schema = {
    title: hostile,
    description: hostile,
    default: hostile,
    enum: [hostile],
    examples: [hostile],
  };
  const text = generateTypes({}, { A: schema, B: { type: "object", properties: { [hostile]: schema } } });
  const { statements } = ts.createSourceFile("types.ts", text, ts.ScriptTarget.Latest);
  expect(statements.filter((statement) => ts.isVariableStatement(statement))).toEqual([]);
  expect(text).not.toMatch(/[\u0000\u2028]/);
});

test("omits empty members, except the missing content of a response", () => {
  const text = generateTypes({ "/a": { get: operationWith({ operationId: "a" }) } }, {});
  expect(text.match(/\?: never/g)).toEqual(["?: never"]);
  expect(text).toContain("content?: never;");
});

test("a section without members is an empty record", () => {
  expect(generateTypes({}, {})).toContain("export type operations = Record<string, never>;");
});

test("a header component has the form of the direction in which it is sent", () => {
  const properties = { id: { type: "string", readOnly: true }, name: { type: "string" } };
  const headers = { Meta: { $ref: "#/components/headers/Meta" } };
  const responses = { "200": { description: "It.", headers } };
  const callbacks = { done: { "{$request.body#/url}": { post: { responses } } } };
  const components = { headers: { Meta: { schema: { type: "object", properties } } } };
  const { files } = emitTypes(
    build(documentWith({ "/a": { post: operationWith({ responses, callbacks }) } }, { components })),
  );
  const text = files[0]?.content ?? "";
  expect(text).toContain('Headers = { Meta?: components["headers"]["Meta"] };');
  // The response of a callback is sent to the API.
  expect(text).toContain("Meta?: { name?: string };");
});

test("types refer to components whose names are not identifiers", () => {
  const parameter = {
    name: "f",
    in: "query",
    schema: { type: "object", properties: { a: { type: "string" } } },
  };
  const components = {
    parameters: { 'My "Filter"': { ...parameter, style: "deepObject" } },
    responses: {
      "Not Good": { description: "It.", content: { "text/plain": { schema: { type: "string" } } } },
    },
  };
  const get = operationWith({
    parameters: [{ $ref: '#/components/parameters/My "Filter"' }],
    responses: { "200": { $ref: "#/components/responses/Not Good" } },
  });
  const { files } = emitTypes(build(documentWith({ "/a": { get } }, { components })));
  const text = files[0]?.content ?? "";
  expect(text).toContain('200: components["responses"]["Not Good"]');
  expect(text).toContain('f?: components["parameters"]["My \\"Filter\\""]');
});

test("a text without a schema is a string, and any other body without one is unknown", () => {
  const content = { "text/plain": {}, "application/json": {} };
  const get = operationWith({ responses: { "200": { description: "It.", content } } });
  const { files } = emitTypes(build(documentWith({ "/a": { get } })));
  expect(files[0]?.content).toContain('"text/plain": string;');
  expect(files[0]?.content).toContain('"application/json": unknown;');
});

test("a $dynamicRef has the type of the schema that its users declare", () => {
  const list = {
    $id: "list",
    $defs: { item: { $dynamicAnchor: "item" } },
    properties: { items: { type: "array", items: { $dynamicRef: "#item" } }, next: { $ref: "list" } },
  };
  const node = {
    $id: "node",
    $dynamicAnchor: "node",
    properties: { children: { items: { $dynamicRef: "#node" } } },
  };
  const text = generateTypes(
    {},
    {
      List: list,
      UserList: { $id: "users", $ref: "list", $defs: { item: { $dynamicAnchor: "item", ...to("User") } } },
      Lists: { properties: { all: to("List"), users: to("UserList") } },
      Node: node,
      OpenNode: { $id: "open", $dynamicAnchor: "node", $ref: "node", required: ["name"] },
      User: { type: "string" },
    },
  );
  const find = (name: string): string => findDeclaration(name, text).replace(/\s+/g, " ");
  expect(find("List")).toContain("= { items?: unknown[]; next?: List;");
  expect(find("UserList")).toContain("= { items?: User[]; next?: List;");
  expect(find("Lists")).toContain("= { all?: List; users?: UserList;");
  expect(find("Node")).toContain("= { children?: Node[];");
  expect(find("OpenNode")).toContain("{ children?: OpenNode[];");
});

test("the types of a chain of allOf take linear time", async () => {
  const links = Array.from({ length: 4000 }, (_, index) => [`S${index}`, { allOf: [to(`S${index + 1}`)] }]);
  const discriminator = { propertyName: "kind", mapping: { cat: "Cat" } };
  const schemas: JsonObject = {
    ...Object.fromEntries(links),
    S4000: { type: "object", properties: { kind: { type: "string" } } },
    Pet: { type: "object", properties: { kind: { type: "string" } }, discriminator },
    Cat: { allOf: [to("Pet")] },
  };
  let text = "";
  await expectCpuTimeBelow(4000, () => {
    text = generateTypes({}, schemas);
  });
  expect(findDeclaration("S0", text)).toBe("export type S0 = S1;");
  expect(findDeclaration("Cat", text)).toContain('kind?: "cat"');
});

test("the types of nested patterns of one name take linear time", async () => {
  let schema: JsonObject = { type: "string" };
  for (let depth = 0; depth < 60; depth += 1)
    schema = { type: "object", patternProperties: { "^a$": schema } };
  await expectCpuTimeBelow(2000, () => generateTypes({}, { Nested: schema }));
});

test("a list whose items allOf refines begins with the more specific type, which callbacks of its methods get", () => {
  const list = (items: JsonObject): JsonObject => ({ properties: { items: { type: "array", items } } });
  const text = generateTypes(
    {},
    {
      Paging: list({}),
      Track: { type: "object" },
      Tracks: { allOf: [to("Paging"), list(to("Track"))] },
      Same: { allOf: [to("Paging"), list({})] },
      Named: { allOf: [to("Paging"), to("Track")] },
    },
  );
  expect(text).toMatch(/export type Tracks = \{\n {2}items\?: Track\[\];\n\} & Paging;/);
  expect(text).toContain("export type Same = Paging & {");
  expect(text).toContain("export type Named = Paging & Track;");
});

test("a list that several schemas describe has one type", () => {
  const items = { type: "string" };
  const text = generateTypes(
    {},
    {
      Inline: { allOf: [{ type: "array" }, { items }] },
      Beside: { type: "array", allOf: [{ items }] },
      Named: { type: "array", minItems: 1, allOf: [to("Inline")] },
      Union: { type: "array", anyOf: [{ items }, to("Named")] },
      Open: { type: "array", allOf: [{ maxItems: 3 }] },
      First: { allOf: [{ items }, { prefixItems: [{ const: "a" }, {}], minItems: 1 }] },
    },
  );
  for (const declaration of [
    "Inline = string[]",
    "Beside = string[]",
    "Named = Inline",
    "Union = string[] | Named",
    "Open = unknown[]",
    'First = [string & "a", string?, ...string[]]',
  ])
    expect(text).toContain(`export type ${declaration};`);
});

test("the intersection of a list with itself is the list", () => {
  const list = { kind: "array", item: createTypeName("string") } as const;
  expect(createIntersection([list, list])).toBe(list);
});

test("two paths that are read as one have the first operation of each method", () => {
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "string" } }];
  const path = (...ids: string[]): JsonObject =>
    Object.fromEntries(
      ids.map((operationId, index) => [["get", "put"][index], operationWith({ operationId, parameters })]),
    );
  const text = generateTypes({ "/{+id}": path("one"), "/{id}": path("two", "three") }, {});
  expect(text).toMatch(/"\/\{id\}": \{\s+get: operations\["one"\];\s+put: operations\["three"\];?\s+\}/);
});
