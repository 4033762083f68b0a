import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../child.js";

/** Returns the files of the measured documents by name, and prints the names of missing ones. */
export function findDocuments(folder: string): Map<string, string> {
  const small = path.join(folder, "small.yaml");
  writeFileSync(small, SMALL);
  const documents = new Map([
    ["GitHub", path.join(ROOT, "../shared/specs/github.json")],
    ["OpenAI", path.join(ROOT, "../shared/specs/openai.yaml")],
    ["Rebilly", path.join(ROOT, "../shared/specs/rebilly.yaml")],
    ["this project", path.join(ROOT, "spec/openapi.yaml")],
    ["small", small],
  ]);
  for (const [name, file] of documents) {
    if (existsSync(file)) continue;
    documents.delete(name);
    console.log(`Skipped ${name}: ${path.relative(ROOT, file)} does not exist.`);
  }
  return documents;
}

const SMALL = `openapi: 3.1.0
info: { title: Small, version: "1" }
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: The thing.
          content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } }
components:
  schemas:
    Thing: { type: object, required: [id], properties: { id: { type: string }, size: { type: integer } } }
`;

/** Writes a document in which each operation has its own path, body and schema, and returns its path. */
export function writeDocument(operations: number, folder: string): string {
  const schema = (index: number) => ({
    type: "object",
    description: `What operation ${index} is about.`,
    required: ["id", "kind"],
    properties: {
      id: { type: "string", format: "uuid" },
      kind: { enum: ["a", "b", "c"] },
      size: { type: "integer", minimum: 0, maximum: index },
      tags: { type: "array", items: { type: "string", maxLength: 20 } },
      // The last schema refers to the first.
      next: { $ref: `#/components/schemas/Thing${(index + 1) % operations}` },
      more: { oneOf: [{ type: "string" }, { type: "object", additionalProperties: { type: "number" } }] },
    },
  });
  const json = (index: number) => ({
    content: { "application/json": { schema: { $ref: `#/components/schemas/Thing${index}` } } },
  });
  const operation = (index: number) => ({
    operationId: `putThing${index}`,
    tags: [`tag ${Math.floor(index / 20)}`],
    summary: `Puts thing ${index}`,
    parameters: [
      { name: "id", in: "path", required: true, schema: { type: "string" } },
      { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100 } },
    ],
    requestBody: { required: true, ...json(index) },
    responses: { "200": { description: "The thing.", ...json(index) }, "404": { description: "None." } },
  });
  const indexes = Array.from({ length: operations }, (_, index) => index);
  const document = {
    openapi: "3.1.0",
    info: { title: "Made", version: "1" },
    paths: Object.fromEntries(indexes.map((index) => [`/things${index}/{id}`, { put: operation(index) }])),
    components: { schemas: Object.fromEntries(indexes.map((index) => [`Thing${index}`, schema(index)])) },
  };
  const file = path.join(folder, `made-${operations}.json`);
  writeFileSync(file, JSON.stringify(document, null, 2));
  return file;
}
