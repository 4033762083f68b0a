import { describe, expect, test } from "vitest";
import { directDocument } from "../../scripts/model/direction.js";
import type { JsonObject } from "../../scripts/model/model.js";

const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** A document with these schemas, of which one is sent and answered. */
function documentOf(
  schemas: Record<string, JsonObject>,
  body: JsonObject = to("Thing"),
  more: JsonObject = {},
) {
  return {
    openapi: "3.1.0",
    paths: {
      "/things": { post: { requestBody: json(body), responses: { 200: json(body) } } },
    },
    components: { schemas },
    ...more,
  };
}

/** The schemas of the result, and what the operation sends and answers with. */
function directed(document: JsonObject) {
  const before = structuredClone(document);
  // The cast: these documents have what is read here.
  const result = directDocument(document) as ReturnType<typeof documentOf>;
  expect(document).toEqual(before);
  const operation = result.paths["/things"].post as Record<string, JsonObject>;
  const schemaOf = (message: unknown) =>
    (message as Record<string, Record<string, { schema: JsonObject }>>).content?.["application/json"]?.schema;
  return {
    result,
    schemas: result.components.schemas,
    sent: schemaOf(operation.requestBody),
    answered: schemaOf(operation.responses?.[200]),
  };
}

const THING: JsonObject = {
  type: "object",
  required: ["id", "name", "secret"],
  properties: {
    id: { type: "string", readOnly: true },
    name: { type: "string" },
    secret: { type: "string", writeOnly: true },
  },
};

test("a document without readOnly and writeOnly stays the same object in all its parts", () => {
  const document = documentOf({ Thing: { type: "object", properties: { a: to("Thing") } } });
  const { result } = directed(document);
  expect(result.paths).toBe(document.paths);
  expect(result.components.schemas.Thing).toBe(document.components.schemas.Thing);
});

test("a schema has a form for responses under its name and one for requests under another", () => {
  const { schemas, sent, answered } = directed(documentOf({ Thing: THING, Other: { type: "string" } }));
  expect(sent).toEqual(to("ThingRequest"));
  expect(answered).toEqual(to("Thing"));
  expect(schemas.Thing).toEqual({
    type: "object",
    required: ["id", "name"],
    properties: { id: { type: "string", readOnly: true }, name: { type: "string" } },
  });
  expect(schemas.ThingRequest).toEqual({
    type: "object",
    required: ["name", "secret"],
    properties: { name: { type: "string" }, secret: { type: "string", writeOnly: true } },
  });
  expect(Object.keys(schemas)).toEqual(["Thing", "Other", "ThingRequest"]);
});

test("what references such a schema has two forms as well, in circles too; arrays stay arrays", () => {
  const { schemas, sent } = directed(
    documentOf(
      {
        Tree: {
          type: "object",
          properties: { thing: to("Thing"), trees: { type: "array", items: to("Tree") } },
        },
        Thing: {
          ...THING,
          properties: { ...Object(THING.properties), tree: to("Tree"), plain: to("Plain") },
        },
        Plain: { type: "string" },
      },
      { type: "array", items: to("Tree") },
    ),
  );
  expect(sent).toEqual({ type: "array", items: to("TreeRequest") });
  expect(schemas.TreeRequest).toMatchObject({
    properties: { thing: to("ThingRequest"), trees: { type: "array", items: to("TreeRequest") } },
  });
  expect(schemas.ThingRequest).toMatchObject({ properties: { tree: to("TreeRequest"), plain: to("Plain") } });
});

test("a name that is taken is left to whom it belongs", () => {
  const own = { type: "object", properties: { mine: { type: "string" } } };
  const { schemas, sent } = directed(documentOf({ Thing: THING, ThingRequest: own }));
  expect(schemas.ThingRequest).toBe(own);
  expect(sent).toEqual(to("ThingRequest2"));
});

test("a form that no request carries is not made", () => {
  const { schemas } = directed(documentOf({ Thing: THING }, { type: "string" }));
  expect(Object.keys(schemas)).toEqual(["Thing"]);
});

describe("`required` loses what is taken away, wherever it stands", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "in a member of allOf",
      { allOf: [{ properties: THING.properties ?? {} }, { required: ["id", "name"] }] },
      { required: ["name"] },
    ],
    ["beside allOf", { required: ["id", "name"], allOf: [to("Base")] }, { required: ["name"] }],
    [
      "of dependencies",
      { ...THING, dependentRequired: { name: ["id"] } },
      { dependentRequired: { name: [] } },
    ],
  ])("%s", (_, Thing, expected) => {
    const { schemas } = directed(documentOf({ Thing, Base: THING }));
    const form = schemas.ThingRequest ?? {};
    const members = Array.isArray(form.allOf) ? [form, ...form.allOf] : [form];
    expect(members).toContainEqual(expect.objectContaining(expected));
    expect(JSON.stringify(form)).not.toMatch(/"id"/);
  });

  test("in a schema that others use, which has a form without it", () => {
    const { schemas } = directed(
      documentOf({
        Thing: { allOf: [to("Base"), { properties: { id: { type: "string", readOnly: true } } }] },
        Base: { type: "object", required: ["id", "name"] },
      }),
    );
    expect(schemas.ThingRequest).toEqual({ allOf: [to("BaseRequest"), { properties: {} }] });
    expect(schemas.BaseRequest).toEqual({ type: "object", required: ["name"] });
    expect(schemas.Base).toEqual({ type: "object", required: ["id", "name"] });
    expect(schemas.Thing).toMatchObject({ allOf: [to("Base"), {}] });
  });

  test("but not in what must not be", () => {
    const Thing = { ...THING, not: { required: ["id"] } };
    expect(directed(documentOf({ Thing })).schemas.ThingRequest).toMatchObject({ not: { required: ["id"] } });
  });
});

describe("a property is readOnly through what it references", () => {
  test.each<[string, JsonObject]>([
    ["a reference", to("Id")],
    ["a reference beside it", { ...to("Plain"), readOnly: true }],
    ["a member of allOf", { allOf: [to("Id")] }],
  ])("%s", (_, id) => {
    const { schemas } = directed(
      documentOf({
        Thing: { type: "object", properties: { id, name: {} } },
        Id: { type: "string", readOnly: true },
        Plain: { type: "string" },
      }),
    );
    expect(schemas.ThingRequest).toEqual({ type: "object", properties: { name: {} } });
  });
});

test("a property that is both stays", () => {
  const both = { type: "object", properties: { a: { readOnly: true, writeOnly: true } } };
  expect(directed(documentOf({ Thing: both })).sent).toEqual(to("Thing"));
});

describe("unions", () => {
  const branch = (value: string): JsonObject => ({
    type: "object",
    required: ["kind", "id"],
    properties: { kind: { const: value, readOnly: true }, id: { type: "string", readOnly: true } },
  });

  test("a discriminator leads to the forms, under the names that its values have", () => {
    const { schemas } = directed(
      documentOf({
        Thing: {
          oneOf: [to("Cat"), to("Dog"), to("Fish")],
          discriminator: { propertyName: "kind", mapping: { cat: "Cat", d: "#/components/schemas/Dog" } },
        },
        Cat: branch("cat"),
        Dog: branch("d"),
        Fish: { type: "object" },
      }),
    );
    expect(schemas.ThingRequest).toEqual({
      oneOf: [to("CatRequest"), to("DogRequest"), to("Fish")],
      discriminator: {
        propertyName: "kind",
        mapping: {
          cat: "#/components/schemas/CatRequest",
          d: "#/components/schemas/DogRequest",
          Fish: "#/components/schemas/Fish",
        },
      },
    });
    expect(schemas.Thing).toMatchObject({
      discriminator: { mapping: { cat: "#/components/schemas/Cat", Fish: "#/components/schemas/Fish" } },
    });
  });

  test("what one branch leaves out another one may require", () => {
    const id = (part: object) => ({ required: ["id"], properties: { id: { type: "string", ...part } } });
    const { schemas } = directed(
      documentOf({
        Thing: { oneOf: [to("Made"), to("Given")] },
        Made: id({ readOnly: true }),
        Given: id({}),
        Both: { required: ["id"], oneOf: [to("Made"), { properties: { id: { readOnly: true } } }] },
      }),
    );
    expect(schemas.ThingRequest).toEqual({ oneOf: [to("MadeRequest"), to("Given")] });
    expect(schemas.MadeRequest).toMatchObject({ required: [] });
    expect(schemas.Given).toMatchObject({ required: ["id"] });
  });

  test("the property that tells the branches apart stays, as an option", () => {
    const { schemas } = directed(
      documentOf({
        Thing: { oneOf: [to("Cat")], discriminator: { propertyName: "kind" } },
        Cat: branch("Cat"),
      }),
    );
    expect(schemas.CatRequest).toMatchObject({ required: [], properties: { kind: { const: "Cat" } } });
    expect(schemas.CatRequest).not.toHaveProperty("properties.id");
  });

  test("a parent leads to the forms of those that extend it", () => {
    const { schemas, sent } = directed(
      documentOf(
        {
          Pet: {
            type: "object",
            required: ["kind"],
            properties: { kind: { type: "string" } },
            discriminator: { propertyName: "kind" },
          },
          Cat: { allOf: [to("Pet"), { properties: { id: { type: "string", readOnly: true } } }] },
          Lion: { allOf: [to("Cat")] },
        },
        to("Pet"),
      ),
    );
    expect(sent).toEqual(to("PetRequest"));
    expect(schemas.PetRequest).toMatchObject({
      discriminator: {
        mapping: { Cat: "#/components/schemas/CatRequest", Lion: "#/components/schemas/LionRequest" },
      },
    });
    expect(schemas.CatRequest).toMatchObject({ allOf: [to("PetRequest"), {}] });
    expect(schemas.LionRequest).toEqual({ allOf: [to("CatRequest")] });
  });
});

describe("where a schema stands says which form it is", () => {
  const inline = { type: "object", properties: { id: { readOnly: true }, secret: { writeOnly: true } } };
  const asked = { type: "object", properties: { secret: { writeOnly: true } } };
  const answered = { type: "object", properties: { id: { readOnly: true } } };
  const message = (schema: JsonObject) => ({
    requestBody: json(schema),
    parameters: [{ name: "p", in: "query", schema }],
    responses: { 200: { ...json(schema), headers: { H: { schema } } } },
  });
  const directedMessage = (request: JsonObject, response: JsonObject) => ({
    requestBody: json(request),
    parameters: [{ name: "p", in: "query", schema: request }],
    responses: { 200: { ...json(response), headers: { H: { schema: response } } } },
  });

  test("in operations, webhooks and callbacks", () => {
    const result = directDocument({
      openapi: "3.1.0",
      paths: {
        "/a": { post: { ...message(inline), callbacks: { done: { "{$url}": { post: message(inline) } } } } },
      },
      webhooks: { event: { post: message(inline) } },
    });
    expect(result.paths).toEqual({
      "/a": {
        post: {
          ...directedMessage(asked, answered),
          callbacks: { done: { "{$url}": { post: directedMessage(answered, asked) } } },
        },
      },
    });
    expect(result.webhooks).toEqual({ event: { post: directedMessage(answered, asked) } });
  });

  test("in components, and in what a webhook shares with an operation", () => {
    const bodies = { requestBodies: { B: json(inline) }, responses: { R: json(inline), Same: json({}) } };
    const refer = {
      requestBody: { $ref: "#/components/requestBodies/B" },
      responses: { 200: { $ref: "#/components/responses/R" }, 201: { $ref: "#/components/responses/Same" } },
    };
    const result = directDocument({
      openapi: "3.1.0",
      paths: { "/a": { post: refer } },
      webhooks: { event: { post: refer } },
      components: bodies,
    });
    expect(result.components).toEqual({
      requestBodies: { B: json(asked) },
      responses: { R: json(answered), Same: json({}) },
    });
    expect(result.paths).toEqual({ "/a": { post: refer } });
    expect(result.webhooks).toEqual({
      event: {
        post: { requestBody: json(answered), responses: { 200: json(asked), 201: refer.responses[201] } },
      },
    });
  });

  test("in what a reference into the middle of a schema names", () => {
    const {
      schemas,
      sent,
      answered: received,
    } = directed(
      documentOf(
        { Outer: { type: "object", properties: { thing: THING } } },
        { $ref: "#/components/schemas/Outer/properties/thing" },
      ),
    );
    expect(received).toEqual({ $ref: "#/components/schemas/Outer/properties/thing" });
    expect(sent).toEqual(to("Outer_thingRequest"));
    expect(schemas.Outer_thingRequest).toMatchObject({ required: ["name", "secret"] });
  });
});

test("beside a $ref of 3.0 only what is meant stays, in 3.1 everything", () => {
  const beside = { ...to("A"), nullable: true, type: "string", description: "d" };
  const document = documentOf({ A: {} }, beside);
  expect(directed({ ...document, openapi: "3.0.3" }).sent).toEqual({
    ...to("A"),
    nullable: true,
    description: "d",
  });
  expect(directed(document).sent).toEqual(beside);
});

test("names that objects have by themselves are names like any other", () => {
  const text = `{"type": "object", "required": ["__proto__", "constructor"], "properties": {
    "__proto__": {"type": "string", "readOnly": true}, "constructor": {"type": "string"}}}`;
  const { schemas, sent } = directed(documentOf({ constructor: JSON.parse(text) }, to("constructor")));
  expect(sent).toEqual(to("constructorRequest"));
  expect(schemas.constructorRequest).toEqual({
    type: "object",
    required: ["constructor"],
    properties: { constructor: { type: "string" } },
  });
});
