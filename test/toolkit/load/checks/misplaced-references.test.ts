import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { createFolder, EMPTY, listDiagnostics } from "../documents.js";

describe("warns about a reference to a component", () => {
  it.each([
    ["get: {responses: {200: {$ref: '#/components/headers/H'}}}", "headers", "responses"],
    [
      "get: {requestBody: {$ref: '#/components/responses/R'}, responses: {default: {description: ''}}}",
      "responses",
      "requestBodies",
    ],
    [
      "get: {responses: {200: {description: '', headers: {X: {$ref: '#/components/schemas/S'}}}}}",
      "schemas",
      "headers",
    ],
    [
      "get: {responses: {200: {description: '', content: {a/b: {schema: {items: {$ref: '#/components/responses/R'}}}}}}}",
      "responses",
      "schemas",
    ],
    [
      "get: {responses: {200: {description: '', content: {a/b: {schema: {properties: {headers: {items: {$ref: '#/components/headers/H'}}}}}}}}}",
      "headers",
      "schemas",
    ],
    ["$ref: '#/components/schemas/S'", "schemas", "pathItems"],
  ])("of another kind than is required: %s", async (item, actual, required) => {
    const components =
      "components: {headers: {H: {schema: {}}}, responses: {R: {description: ''}}, schemas: {S: {}}}\n";
    const folder = await createFolder({
      "openapi.yaml": `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {/a: {${item}}}\n${components}`,
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ message }) => message)).toEqual([
      `This $ref leads to \`components.${actual}\`. Refer to a member of \`components.${required}\` here.`,
    ]);
  });

  it.each([
    ["webhooks: {a: {$ref: '#/components/schemas/S'}}", "", "pathItems"],
    [
      "paths: {/a: {get: {callbacks: {c: {'{$url}': {$ref: '#/components/schemas/S'}}}, responses: {}}}}",
      "",
      "pathItems",
    ],
    ["paths: {}", "requestBodies: {B: {$ref: '#/components/schemas/S'}}", "requestBodies"],
    ["paths: {}", "pathItems: {P: {$ref: '#/components/schemas/S'}}", "pathItems"],
    ["paths: {}", "securitySchemes: {K: {$ref: '#/components/schemas/S'}}", "securitySchemes"],
  ])("of another kind in %s {%s}", async (members, components, required) => {
    const text = `openapi: 3.1.0\ninfo: {title: a, version: "1"}\n${members}\ncomponents: {schemas: {S: {}}, ${components}}\n`;
    const folder = await createFolder({ "openapi.yaml": text });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ message }) => message)).toContain(
      `This $ref leads to \`components.schemas\`. Refer to a member of \`components.${required}\` here.`,
    );
  });

  it.each([
    ["parameters/0", "parameters"],
    ["responses/200", "responses"],
    ["responses/200/headers/X", "headers"],
    ["requestBody", "requestBodies"],
  ])("of another kind, at %s of an operation", async (pointer, actual) => {
    const operation =
      "{parameters: [{name: a, in: query, schema: {}}], requestBody: {content: {}}, responses: {200: {description: '', headers: {X: {schema: {}}}}}}";
    const schemas = `{A: {items: {$ref: '#/paths/~1a~1{a}/post/${pointer}'}}, B: {$ref: '#/paths/~1a~1{a}/post/parameters/0/schema'}}`;
    const folder = await createFolder({
      "openapi.yaml": `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {'/a/{a}': {post: ${operation}}}\ncomponents: {schemas: ${schemas}}\n`,
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings.map(({ message, position }) => `${position?.pointer} ${message}`)).toEqual([
      `/components/schemas/A/items This $ref leads to an object like those in \`components.${actual}\`. Refer to a member of \`components.schemas\` here.`,
    ]);
  });

  it("as an error if the target is no parameter, which nothing else reports", async () => {
    const text = `${EMPTY.replace("paths: {}", "paths: {/a: {parameters: [{$ref: '#/components/schemas/S'}], get: {}}}")}components: {schemas: {S: {}}}\n`;
    expect(await listDiagnostics(text)).toEqual([
      expect.stringContaining(
        "This $ref leads to `components.schemas`. Refer to a member of `components.parameters`",
      ),
    ]);
  });

  it("but not in data, nor for a property that has the name of a section of the components", async () => {
    const ref = "{$ref: '#/components/schemas/S'}";
    const other = "{$ref: '#/components/responses/S'}";
    const schema = `{properties: {headers: {items: ${ref}}, responses: ${ref}}, example: {items: ${other}}, items: ${ref}}`;
    const folder = await createFolder({
      "openapi.yaml": `${EMPTY}components: {responses: {S: {description: ''}}, schemas: {S: {}, A: ${schema}}}\n`,
    });
    const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
    expect(warnings).toEqual([]);
  });
});
