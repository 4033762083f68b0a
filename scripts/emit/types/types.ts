import { BANNER, visible } from "../../code/encode.js";
import { compareText } from "../../diagnostic.js";
import type { Api, Emission, Exchange, Operation } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { referencedSchema, requestBodies, successBodies, type TypedBody, typeNames } from "../type-names.js";
import { Circles } from "./circles.js";
import { docLines, schemaDocs } from "./docs.js";
import { Layout } from "./layout.js";
import { SchemaTypes } from "./schemas.js";
import { type Member, print, printMember, type Type, word } from "./type.js";

/**
 * types.ts: `paths`, `webhooks`, `components` and `operations` under the names that openapi-typescript gives them, and
 * an exported type for each component schema, and for the parameters and bodies of each operation.
 */
export function emitTypes(api: Api): Emission {
  const { schemas: names, operations: operationNames } = typeNames(api);
  const nameOf = (schema: Schema): string => names.get(schema) ?? "unknown";
  const types = new SchemaTypes(api.schemas, new Circles(names.keys()), nameOf);
  const aliases = new Map<Schema, Type>();
  const layout = new Layout(
    api.components,
    (schema) => aliases.get(schema) ?? types.type(schema),
    new Map([...operationNames].map(([operation, { parameters }]) => [operation, parameters])),
  );
  const bodyType = (name: string | undefined, bodies: readonly TypedBody[]): string[] => {
    if (name === undefined) return [];
    const texts = bodies.map(({ schema, path, isOwn }) => {
      const component = referencedSchema(schema);
      if (component) return nameOf(component);
      if (!isOwn || bodies.length > 1) return path;
      aliases.set(schema, word(name));
      return print(types.type(schema));
    });
    return [typeDeclaration(name, [...new Set(texts)].join(" | "))];
  };
  const bodyTypes = [...operationNames].map(([operation, { requestBody, responseBody }]) => ({
    operation,
    texts: [
      ...bodyType(requestBody, requestBodies(operation)),
      ...bodyType(responseBody, successBodies(operation)),
    ],
  }));

  const operations = new Map<string, Member>();
  const itemOf = (
    name: string,
    members: readonly { exchange: Exchange; id: string | undefined }[],
  ): Member => {
    const exchanges = members.map(({ exchange, id }) => {
      if (id === undefined || operations.has(id)) return { exchange, id: undefined };
      operations.set(id, layout.operation(id, exchange));
      return { exchange, id };
    });
    return layout.pathItem(name, exchanges);
  };
  const byPath = [...groupBy(operationsOf(api), ({ path }) => path)].sort(([a], [b]) => compareText(a, b));
  const paths = byPath.map(([path, members]) =>
    itemOf(
      path,
      members.map((exchange) => ({ exchange, id: exchange.id })),
    ),
  );
  const webhooks = [...groupBy(api.webhooks, ({ webhook }) => webhook ?? "")].map(([webhook, members]) =>
    itemOf(
      webhook,
      members.map((exchange) => ({ exchange, id: exchange.id === webhook ? undefined : exchange.id })),
    ),
  );

  const { responses, parameters, requestBodies: bodies, headers } = api.components;
  const sections: [string, Member[]][] = [
    ["schemas", [...names].map(([schema, name]) => schemaMember(schema, name))],
    ["responses", [...responses].map(([name, response]) => layout.responseComponent(name, response))],
    ["parameters", [...parameters].map(([name, parameter]) => layout.parameterComponent(name, parameter))],
    ["requestBodies", [...bodies].map(([name, body]) => layout.requestBodyComponent(name, body))],
    ["headers", [...headers].map(([name, header]) => layout.headerComponent(name, header))],
    ["pathItems", []],
  ];
  const sectionTexts = sections.map(([section, members]) =>
    members.length === 0 ? `  ${section}: never;` : `  ${section}: {\n${printMembers(members, 2)}\n  };`,
  );
  const declarations = [
    interfaceDeclaration("paths", printMembers(paths, 1)),
    interfaceDeclaration("webhooks", printMembers(webhooks, 1)),
    interfaceDeclaration("components", sectionTexts.join("\n")),
    interfaceDeclaration("$defs", ""),
    ...[...names].flatMap(([schema, name]) => [
      ...docLines(schemaDocs(schema)),
      typeDeclaration(name, print(types.declaration(schema))),
    ]),
    interfaceDeclaration("operations", printMembers([...operations.values()], 1)),
    ...bodyTypes.flatMap(({ operation, texts }) => [
      ...[...layout.parameterTypes(operation)].map(([name, type]) =>
        joinSmallObjects(typeDeclaration(name, print(type))),
      ),
      ...texts,
    ]),
  ];
  const content = visible(`${BANNER}\n\n${declarations.join("\n")}\n`);
  return { files: [{ path: "types.ts", content }], problems: [] };
}

function operationsOf({ groups }: Api): Operation[] {
  return groups.flatMap((group) => group.operations);
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

function schemaMember(schema: Schema, name: string): Member {
  const docs = schema.deprecated ? ["@deprecated"] : [];
  return { name: schema.name, type: word(name), isOptional: false, docs };
}

function interfaceDeclaration(name: string, members: string): string {
  if (members === "") return `export type ${name} = Record<string, never>;`;
  return `export interface ${name} {\n${members}\n}`;
}

function typeDeclaration(name: string, type: string): string {
  return `export type ${name} = ${type};`;
}

/** Lines of members at a depth. */
function printMembers(members: readonly Member[], depth: number): string {
  return joinSmallObjects(members.map((member) => printMember(member, depth)).join("\n"));
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
