import { describe, expect, test } from "vitest";
import { buildApi } from "../../scripts/model/build.js";
import { nameDeepReferences } from "../../scripts/model/deep-references.js";
import { documentWith, operationWith } from "./document.js";

const OWNER = { type: "object", properties: { pets: { $ref: "#/components/schemas/Pet/properties/pets" } } };
const PET = {
  type: "object",
  properties: { owner: OWNER, pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } } },
};

test("a document that names components alone is the same document", () => {
  const data = { $ref: "#/paths/~1a/get" };
  const document = documentWith(
    { "/a": { get: operationWith() }, "/b": { $ref: "#/paths/~1a" } },
    { components: { schemas: { A: { example: data, default: data, properties: { $ref: {} } } } } },
  );
  expect(nameDeepReferences(document).document).toBe(document);
});

describe("what a reference names deep inside something else", () => {
  test("becomes a component, also when it names itself so", () => {
    const document = documentWith(
      {},
      {
        components: {
          schemas: { Pet: PET, Alias: { $ref: "#/components/schemas/Pet" } },
          responses: {
            One: {
              content: { "a/b": { schema: { $ref: "#/components/schemas/Alias/properties/owner" } } },
            },
          },
        },
      },
    );
    const before = structuredClone(document);
    const { document: named, origins } = nameDeepReferences(document);
    expect(document).toEqual(before);
    const owner = { $ref: "#/components/schemas/PetOwner" };
    const pets = { $ref: "#/components/schemas/PetPets" };
    expect(named.components).toEqual({
      schemas: {
        Pet: { type: "object", properties: { owner, pets } },
        Alias: { $ref: "#/components/schemas/Pet" },
        PetOwner: { type: "object", properties: { pets } },
        PetPets: PET.properties.pets,
      },
      responses: { One: { content: { "a/b": { schema: owner } } } },
    });
    expect([...origins]).toEqual([
      ["/components/schemas/PetOwner", "/components/schemas/Pet/properties/owner"],
      ["/components/schemas/PetPets", "/components/schemas/Pet/properties/pets"],
    ]);
  });

  test("may be a parameter, a header, a response, a schema of another operation, or outside of components", () => {
    const list = {
      parameters: [{ name: "x", in: "query", schema: { type: "string" } }],
      responses: {
        "200": {
          description: "All.",
          headers: { "X-A": { schema: { type: "string" } } },
          content: { "application/json": { schema: { type: "array", items: {} } } },
        },
      },
    };
    const ok = "#/paths/~1a/get/responses/200";
    const document = documentWith(
      {
        "/a": { get: list },
        "/b": {
          get: {
            parameters: [{ $ref: "#/paths/~1a/get/parameters/0" }],
            responses: {
              "200": { $ref: ok },
              "404": {
                description: "None.",
                headers: { "X-B": { $ref: `${ok}/headers/X-A` } },
                content: {
                  "application/json": { schema: { $ref: `${ok}/content/application~1json/schema` } },
                  "text/plain": { schema: { $ref: "#/x-schemas/A%20b" } },
                },
              },
            },
          },
        },
      },
      { "x-schemas": { "A b": { type: "string" } } },
    );
    const { document: named } = nameDeepReferences(document);
    expect(named).toMatchObject({
      components: {
        parameters: { AGet0: list.parameters[0] },
        headers: { AGet200HeadersXA: { schema: { type: "string" } } },
        responses: { AGet200: { description: "All." } },
        schemas: { AGet200ApplicationJson: { type: "array" }, XSchemasAB: { type: "string" } },
      },
      paths: {
        "/a": { get: { responses: { "200": { $ref: "#/components/responses/AGet200" } } } },
        "/b": {
          get: {
            parameters: [{ $ref: "#/components/parameters/AGet0" }],
            responses: {
              "200": { $ref: "#/components/responses/AGet200" },
              "404": {
                headers: { "X-B": { $ref: "#/components/headers/AGet200HeadersXA" } },
                content: {
                  "application/json": { schema: { $ref: "#/components/schemas/AGet200ApplicationJson" } },
                  "text/plain": { schema: { $ref: "#/components/schemas/XSchemasAB" } },
                },
              },
            },
          },
        },
      },
    });
  });

  test("keeps its place in the sources, and takes no name that is in use", () => {
    const document = documentWith(
      { "/a": { get: operationWith() } },
      {
        components: {
          schemas: { Pet: PET, PetOwner: { $ref: "#/components/schemas/Pet/properties/owner" } },
        },
      },
    );
    const { api, locate } = buildApi(document, (pointer) => ({ file: "", line: 1, col: 1, pointer }));
    expect(api.document.components).toMatchObject({
      schemas: { PetOwner: { $ref: "#/components/schemas/PetOwner2" } },
    });
    expect(locate("/components/schemas/PetOwner2/type").pointer).toBe(
      "/components/schemas/Pet/properties/owner/type",
    );
  });
});
