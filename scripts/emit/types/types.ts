import { BANNER, propertyKey, escapeInvisible } from "../../code/encode.js";
import { compareText } from "../../diagnostic.js";
import { groupBy } from "../../group-by.js";
import type { Api, Emission, Exchange, Operation } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import {
  findReferencedComponent,
  listRequestBodies,
  listSuccessBodies,
  type TypedBody,
  nameTypes,
} from "../type-names.js";
import { TypeCycles } from "./type-cycles.js";
import { formatDocComment, describeSchema } from "./docs.js";
import { OperationTypes } from "./operation-types.js";
import { INDENT } from "./print-node.js";
import { SchemaTypes } from "./schema-types.js";
import { printType } from "./type.js";

/**
 * types.ts: `paths`, `webhooks`, `components` and `operations` in the layout of openapi-typescript, and
 * an exported type for each component schema, and for the parameters and bodies of each operation.
 */
export function emitTypes(api: Api): Emission {
  const { schemas: names, operations: operationNames, headers: headerNames } = nameTypes(api);
  const nameOf = (schema: Schema): string => names.get(schema) ?? "unknown";
  const types = new SchemaTypes(api.schemas, new TypeCycles(names.keys()), nameOf);
  const aliases = new Map<Schema, string>();
  // Cache of types without line breaks, which are the same at every depth and shared by many operations.
  const singleLines = new Map<Schema, string>();
  const typeText = (schema: Schema, depth: number): string => {
    const cached = aliases.get(schema) ?? singleLines.get(schema);
    if (cached !== undefined) return cached;
    const text = printType(types.type(schema), { depth, step: INDENT });
    if (!text.includes("\n")) singleLines.set(schema, text);
    return text;
  };
  const layout = new OperationTypes(api, typeText, operationNames, headerNames);
  const bodyType = (name: string | undefined, bodies: readonly TypedBody[]): string[] => {
    if (name === undefined) return [];
    const texts = bodies.map(({ schema, path, isInline }) => {
      const component = findReferencedComponent(schema);
      if (component) return nameOf(component);
      if (!isInline || bodies.length > 1) return path;
      aliases.set(schema, name);
      return printType(types.type(schema), TOP_LEVEL);
    });
    return [`export type ${name} = ${[...new Set(texts)].join(" | ")};`];
  };
  const bodyTypes = [...operationNames].map(([operation, { requestBody, responseBody }]) => ({
    operation,
    texts: [
      ...bodyType(requestBody, listRequestBodies(operation)),
      ...bodyType(responseBody, listSuccessBodies(operation)),
    ],
  }));

  const operations = new Map<string, string>();
  const pathItem = (
    name: string,
    members: readonly { exchange: Exchange; id: string | undefined }[],
  ): string => {
    const exchanges = members.map(({ exchange, id }) => {
      if (id === undefined || operations.has(id)) return { exchange, id: undefined };
      operations.set(id, layout.operation(id, exchange));
      return { exchange, id };
    });
    return layout.pathItem(name, exchanges);
  };
  const byPath = [...groupBy(listOperations(api), ({ path }) => path)].sort(([a], [b]) => compareText(a, b));
  const paths = byPath.map(([path, members]) =>
    pathItem(
      path,
      members.map((exchange) => ({ exchange, id: exchange.id })),
    ),
  );
  const webhooks = [...groupBy(api.webhooks, ({ webhook }) => webhook ?? "")].map(([webhook, members]) =>
    pathItem(
      webhook,
      members.map((exchange) => ({ exchange, id: exchange.id === webhook ? undefined : exchange.id })),
    ),
  );

  const { components } = api;
  const sections: [string, string[]][] = [
    ["schemas", [...names].map(([schema, name]) => schemaMember(schema, name))],
    [
      "responses",
      [...components.responses].map(([name, response]) => layout.responseComponent(name, response)),
    ],
    [
      "parameters",
      [...components.parameters].map(([name, parameter]) => layout.parameterComponent(name, parameter)),
    ],
    [
      "requestBodies",
      [...components.requestBodies].map(([name, body]) => layout.requestBodyComponent(name, body)),
    ],
    ["headers", [...components.headers].map(([name, header]) => layout.headerComponent(name, header))],
    ["pathItems", []],
  ];
  const sectionTexts = sections.map(([section, members]) =>
    members.length === 0 ? `  ${section}: never;` : `  ${section}: {\n${indentMembers(members, 2)}\n  };`,
  );
  const declarations = [
    declaration("paths", indentMembers(paths, 1)),
    declaration("webhooks", indentMembers(webhooks, 1)),
    declaration("components", sectionTexts.join("\n")),
    declaration("$defs", ""),
    ...[...names].map(([schema, name]) =>
      [
        ...formatDocComment(describeSchema(schema)),
        `export type ${name} = ${printType(types.translateDeclaration(schema), TOP_LEVEL)};`,
      ].join("\n"),
    ),
    declaration("operations", indentMembers([...operations.values()], 1)),
    ...layout.headerTypes().map((text) => indentMembers([text], 0)),
    ...bodyTypes.flatMap(({ operation, texts }) => [
      ...layout.parameterTypes(operation).map((text) => indentMembers([text], 0)),
      ...texts,
    ]),
  ];
  const content = escapeInvisible(`${BANNER}\n\n${declarations.join("\n")}\n`);
  return { files: [{ path: "types.ts", content }], problems: [] };
}

const TOP_LEVEL = { depth: 0, step: "  " };

function listOperations({ groups }: Api): Operation[] {
  return groups.flatMap((group) => group.operations);
}

function schemaMember(schema: Schema, name: string): string {
  return `${schema.deprecated ? "/** @deprecated */\n" : ""}${propertyKey(schema.name)}: ${name};`;
}

function declaration(name: string, members: string): string {
  if (members === "") return `export type ${name} = Record<string, never>;`;
  return `export interface ${name} {\n${members}\n}`;
}

/** Indents members. Their own indentation of four columns per level becomes two. */
function indentMembers(members: readonly string[], depth: number): string {
  if (members.length === 0) return "";
  const start = "  ".repeat(depth);
  const text = members
    .join("\n")
    .replace(/^( *\*) {5}/gm, "$1 ")
    .replace(/^( *\*) +$/gm, "$1")
    .replace(/^(?: {4})*/gm, (spaces) => start + " ".repeat(spaces.length / 2));
  return joinSmallObjects(text);
}

/** Puts each object with a single member that has no comment on one line, from the inside out. */
function joinSmallObjects(text: string): string {
  const joined = text.replace(SMALL_OBJECT, (lines, start: string, member: string, end: string) => {
    const line = `${start}{ ${member} }${end}`;
    return line.length <= MAX_WIDTH ? line : lines;
  });
  return joined === text ? text : joinSmallObjects(joined);
}

const SMALL_OBJECT = /^(.*)\{\n *(?![/*])(.*);\n *\}(.*)$/gm;
const MAX_WIDTH = 110;
