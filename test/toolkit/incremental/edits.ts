import { isObject, type JsonObject, type JsonValue } from "../../../scripts/json.js";
import type { Random } from "../../support/random.js";

/** A value of a document with its parent. */
interface Place {
  parent: JsonObject;
  key: string;
  value: JsonValue;
  /** Keys that lead to the parent. */
  path: readonly string[];
}

/** Lists the members of all objects in a document. */
function listPlaces(node: JsonValue, path: readonly string[] = []): Place[] {
  if (Array.isArray(node)) return node.flatMap((item, index) => listPlaces(item, [...path, String(index)]));
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    { parent: node, key, value, path },
    ...listPlaces(value, [...path, key]),
  ]);
}

/** A change of a document, which does nothing if the document has no place for it. */
type Edit = (document: JsonObject, random: Random) => void;

/** Changes one of the members that fit. */
function editPlace(
  fits: (place: Place) => boolean,
  edit: (place: Place, random: Random, document: JsonObject) => void,
): Edit {
  return (document, random) => {
    const places = listPlaces(document).filter(fits);
    if (places.length > 0) edit(random.pick(places), random, document);
  };
}

const isSchema = ({ value, path }: Place): boolean =>
  isObject(value) && (path.at(-1) === "schemas" || path.at(-1) === "properties");
const isOperation = ({ value }: Place): boolean => isObject(value) && value.responses !== undefined;
const isParameter = ({ parent, key }: Place): boolean =>
  key === "schema" && typeof parent.in === "string" && parent.name !== undefined;

function getSection(document: JsonObject, name: string): JsonObject {
  const components = isObject(document.components) ? document.components : {};
  document.components = components;
  const section = isObject(components[name]) ? components[name] : {};
  components[name] = section;
  return section;
}

function pickSchemaName(document: JsonObject, random: Random): string {
  return random.pick(Object.keys(getSection(document, "schemas")));
}

const createReference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

let count = 0;
const createName = (): string => `Added${(count += 1)}`;

/** The random edits, by name. */
export const EDITS: Readonly<Record<string, Edit>> = {
  "change a description": editPlace(
    ({ key, value }) => key === "description" && typeof value === "string",
    ({ parent }) => (parent.description = `Changed ${createName()}.\n\nTwo paragraphs, "quotes" and */.`),
  ),
  "describe or stop describing": editPlace(isSchema, ({ value }) => {
    if (!isObject(value)) return;
    if (value.description === undefined) value.description = "New.";
    else delete value.description;
  }),
  "add a property": editPlace(isSchema, ({ value }, random, document) => {
    if (!isObject(value)) return;
    const property = random.pick<JsonValue>([
      { type: "string", maxLength: 3 },
      { type: "array", items: { type: "integer" }, uniqueItems: true },
      { oneOf: [{ type: "string" }, { type: "object", properties: { a: { enum: ["x", 1, null] } } }] },
      createReference(pickSchemaName(document, random)),
      { type: "object", readOnly: true, additionalProperties: { type: "number" } },
      { type: "string", pattern: "^[a-z]+$", writeOnly: true },
    ]);
    const properties = isObject(value.properties) ? value.properties : {};
    value.properties = { ...properties, [createName()]: property };
  }),
  "remove a property": editPlace(
    ({ path }) => path.at(-1) === "properties",
    ({ parent, key }) => delete parent[key],
  ),
  "require all properties": editPlace(isSchema, ({ value }) => {
    if (isObject(value) && isObject(value.properties)) value.required = Object.keys(value.properties);
  }),
  "change a constraint": editPlace(isSchema, ({ value }, random) => {
    if (!isObject(value)) return;
    const [key, constraint] = random.pick<[string, JsonValue]>([
      ["minLength", 1],
      ["maxLength", random.integer(1, 9)],
      ["enum", ["a", "b", random.integer(0, 9)]],
      ["deprecated", true],
      ["readOnly", true],
      ["writeOnly", true],
      ["type", random.pick(["string", "object", "array", "boolean"])],
      ["additionalProperties", false],
      ["minimum", random.integer(0, 9)],
    ]);
    if (value[key] === undefined || random.integer(0, 1) === 0) value[key] = constraint;
    else delete value[key];
  }),
  "extend a schema": editPlace(isSchema, ({ value }, random, document) => {
    if (isObject(value)) value.allOf = [createReference(pickSchemaName(document, random))];
  }),
  "make a union with a discriminator": editPlace(isSchema, ({ parent, key }, random, document) => {
    const names = [pickSchemaName(document, random), pickSchemaName(document, random)];
    parent[key] = {
      oneOf: names.map(createReference),
      discriminator: {
        propertyName: "kind",
        ...(random.integer(0, 1) ? { mapping: { a: names[0] ?? "" } } : {}),
      },
    };
  }),
  "add a circular schema": (document, random) => {
    const name = createName();
    const schemas = getSection(document, "schemas");
    schemas[name] = { type: "object", properties: { again: createReference(name) } };
    const other = schemas[pickSchemaName(document, random)];
    if (isObject(other)) other.properties = { again: createReference(name) };
  },
  "add a schema whose name collides": (document, random) => {
    const name = pickSchemaName(document, random);
    const similar = random.pick([name.toLowerCase(), `${name}_`, `${name}Request`, `${name}2`, `_${name}`]);
    getSection(document, "schemas")[similar] ??= { type: "string", description: `Similar to ${name}.` };
  },
  "rename a component": (document, random) => {
    const section = random.pick(["schemas", "parameters", "responses"]);
    const members = getSection(document, section);
    if (Object.keys(members).length === 0) return;
    const name = random.pick(Object.keys(members));
    const target = createName();
    members[target] = members[name] ?? null;
    delete members[name];
    for (const { parent, key, value } of listPlaces(document))
      if (value === `#/components/${section}/${name}`) parent[key] = `#/components/${section}/${target}`;
  },
  "remove a component": (document, random) => {
    const section = getSection(document, random.pick(["schemas", "parameters", "responses", "headers"]));
    if (Object.keys(section).length > 0) delete section[random.pick(Object.keys(section))];
  },
  "change a parameter": editPlace(isParameter, ({ parent }, random) => {
    if (random.integer(0, 1)) parent.schema = { type: random.pick(["string", "integer", "boolean"]) };
    else parent.required = parent.in === "path" || parent.required !== true;
  }),
  "change an operation": editPlace(isOperation, ({ value }, random) => {
    if (!isObject(value)) return;
    const [key, text] = random.pick<[string, JsonValue]>([
      ["summary", createName()],
      ["deprecated", true],
      ["tags", [random.pick(["padding", "other", "default"])]],
      ["operationId", createName()],
      ["operationId", "getPadding3"],
      ["security", []],
      ["x-safe", true],
    ]);
    value[key] = text;
  }),
  "add a response": editPlace(isOperation, ({ value }, random, document) => {
    if (!isObject(value) || !isObject(value.responses)) return;
    const schema = createReference(pickSchemaName(document, random));
    value.responses = {
      ...value.responses,
      [String(random.integer(400, 420))]: {
        description: "Wrong.",
        headers: { [`X-${createName()}`]: { schema: { type: "integer" } } },
        content: { "application/json": { schema } },
      },
    };
  }),
  "add an operation": editPlace(
    ({ path, value }) => path.length === 1 && path[0] === "paths" && isObject(value),
    ({ value }, random) => {
      if (isObject(value))
        value[random.pick(["get", "head", "delete", "options"])] = {
          responses: { "200": { description: "Added." } },
        };
    },
  ),
  "remove an operation": editPlace(isOperation, ({ parent, key }) => delete parent[key]),
  "break a reference": editPlace(
    ({ key }) => key === "$ref",
    ({ parent }) => (parent.$ref = "#/components/schemas/Nothing"),
  ),
  "delete a value": editPlace(
    ({ path }) => path.length > 1,
    ({ parent, key }) => delete parent[key],
  ),
  "copy a value": editPlace(
    ({ path }) => path.length > 1,
    ({ parent, key, path }, random, document) => {
      const others = listPlaces(document).filter((other) => other.key === key && other.path !== path);
      if (others.length > 0) parent[key] = structuredClone(random.pick(others).value);
    },
  ),
};

/** Adds paths and schemas that refer only to each other, so that an edit affects a small part of a small document. */
export function addPadding(document: JsonObject, size: number): void {
  const schemas = getSection(document, "schemas");
  const paths = isObject(document.paths) ? document.paths : {};
  document.paths = paths;
  for (let index = 0; index < size; index += 1) {
    const name = `Padding${index}`;
    schemas[name] = {
      type: "object",
      description: `Padding ${index}.`,
      properties: { id: { type: "string", readOnly: true }, size: { type: "integer", minimum: index } },
    };
    const content = { "application/json": { schema: createReference(name) } };
    paths[`/padding${index}/{id}`] = {
      put: {
        operationId: `getPadding${index}`,
        tags: [index % 2 === 0 ? "padding" : "even"],
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        requestBody: { required: true, content },
        responses: {
          "200": { description: "It.", headers: { ETag: { schema: { type: "string" } } }, content },
        },
      },
    };
  }
}
