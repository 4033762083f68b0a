import { MAX_LINE_LENGTH } from "../../code/break-lines.js";
import { BANNER } from "../../code/encode.js";
import { compareText } from "../../diagnostic.js";
import { groupBy } from "../../maps.js";
import type { Api, Operation } from "../../model/model.js";
import type { Emission } from "../emitter.js";
import { nameTypes, type TypeNames } from "../type-names.js";
import { createMember, OperationTypes } from "./operation-types.js";
import { SchemaPrinter } from "./print-schemas.js";
import { createWord, type Member, printMembers, printType, type Type } from "./type.js";

/**
 * Emits types.ts: `paths`, `webhooks`, `components` and `operations` in the layout of openapi-typescript, and an exported
 * type for each component schema, and for the parameters and bodies of each operation.
 */
export function emitTypes(api: Api): Emission {
  const names = nameTypes(api);
  const schemas = new SchemaPrinter(api, names);
  // First, because inline bodies are then printed as the names of their types.
  const bodies = new Map([...names.operations.keys()].map((each) => [each, schemas.printBodies(each)]));
  const layout = new OperationTypes(
    api.components,
    (schema) => schemas.print(schema),
    names.operations,
    names.headers,
  );
  const operations = new Map<string, Member>();
  const createPathItem = (path: string, members: readonly Operation[]): Member => {
    const exchanges = members.map((exchange) => {
      const { id, webhook } = exchange;
      if (id === webhook || operations.has(id)) return { exchange, id: undefined };
      operations.set(id, createMember(id, layout.createExchange(exchange)));
      return { exchange, id };
    });
    return createMember(path, layout.createMethods(exchanges));
  };
  const paths = [...groupBy(api.operations, ({ path }) => path)].sort(([a], [b]) => compareText(a, b));
  const webhooks = groupBy(api.webhooks, ({ webhook = "" }) => webhook);
  const headers = [...names.headers].sort(([, a], [, b]) => compareText(a, b));
  const declarations = [
    printInterface("paths", createMembers(paths, createPathItem)),
    printInterface("webhooks", createMembers(webhooks, createPathItem)),
    printComponents(api, names.schemas, layout),
    printInterface("$defs", []),
    ...schemas.printDeclarations(),
    printInterface("operations", [...operations.values()]),
    ...headers.map(([list, name]) => printAlias(name, layout.createDeclaredHeaders(list))),
    ...[...bodies].flatMap(([operation, texts]) => [
      ...layout.listParameterTypes(operation).map(([name, type]) => printAlias(name, type)),
      ...texts,
    ]),
  ];
  return { files: [{ path: "types.ts", content: `${BANNER}\n\n${declarations.join("\n")}\n` }] };
}

function printComponents(
  { components }: Api,
  schemaNames: TypeNames["schemas"],
  layout: OperationTypes,
): string {
  const sections = {
    schemas: [...schemaNames].map(([{ name, deprecated }, typeName]) =>
      createMember(name, createWord(typeName), { deprecated }),
    ),
    responses: createMembers(components.responses, (name, response) => layout.createResponse(name, response)),
    parameters: createMembers(components.parameters, (name, parameter) =>
      layout.createParameter(name, parameter),
    ),
    requestBodies: createMembers(components.requestBodies, (name, body) =>
      layout.createRequestBody(name, body),
    ),
    headers: createMembers(components.headers, (name, header) => layout.createHeader(name, header)),
    pathItems: [],
  };
  const texts = Object.entries(sections).map(([section, members]) => {
    if (members.length === 0) return `  ${section}: never;`;
    return `  ${section}: {${joinSmallObjects(printMembers(members, "\n    "))}\n  };`;
  });
  return `export interface components {\n${texts.join("\n")}\n}`;
}

function createMembers<T>(
  parts: Iterable<readonly [name: string, part: T]>,
  create: (name: string, part: T) => Member,
): Member[] {
  return [...parts].map(([name, part]) => create(name, part));
}

function printInterface(name: string, members: readonly Member[]): string {
  if (members.length === 0) return `export type ${name} = Record<string, never>;`;
  return `export interface ${name} {${joinSmallObjects(printMembers(members, "\n  "))}\n}`;
}

function printAlias(name: string, type: Type): string {
  return joinSmallObjects(`export type ${name} = ${printType(type)};`);
}

/** Puts each object with a single member that has no comment on one line, from the inside out. */
function joinSmallObjects(text: string): string {
  const joined = text.replace(SMALL_OBJECT, (lines, start: string, member: string, end: string) => {
    const line = `${start}{ ${member} }${end}`;
    return line.length <= MAX_LINE_LENGTH ? line : lines;
  });
  return joined === text ? text : joinSmallObjects(joined);
}

/** Matches an object with one member. */
const SMALL_OBJECT = /^(.*)\{\n *(.*);\n *\}(.*)$/gm;
