import { MAX_LINE_LENGTH } from "../../code/break-lines.js";
import { BANNER, escapeInvisible, printPropertyKey } from "../../code/encode.js";
import { compareText } from "../../diagnostic.js";
import { groupBy } from "../../maps.js";
import type { Api, Operation } from "../../model/model.js";
import type { Emission } from "../emitter.js";
import { nameTypes, type TypeNames } from "../type-names.js";
import { OperationTypes } from "./operation-types.js";
import { SchemaPrinter } from "./print-schemas.js";

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
  const operations = new Map<string, string>();
  const printPathItem = (path: string, members: readonly Operation[]): string => {
    const exchanges = members.map((exchange) => {
      const { id, webhook } = exchange;
      if (id === webhook || operations.has(id)) return { exchange, id: undefined };
      operations.set(id, layout.printOperation(id, exchange));
      return { exchange, id };
    });
    return layout.printPathItem(path, exchanges);
  };
  const paths = groupBy(api.operations, ({ path }) => path);
  const webhooks = groupBy(api.webhooks, ({ webhook = "" }) => webhook);
  const sortedPaths = [...paths].sort(([a], [b]) => compareText(a, b));
  const declarations = [
    printInterface(
      "paths",
      indentMembers(
        sortedPaths.map(([path, members]) => printPathItem(path, members)),
        1,
      ),
    ),
    printInterface("webhooks", indentMembers(printEach(webhooks, printPathItem), 1)),
    printInterface("components", printComponents(api, names.schemas, layout)),
    printInterface("$defs", ""),
    ...schemas.printDeclarations(),
    printInterface("operations", indentMembers([...operations.values()], 1)),
    ...layout.getHeaderDeclarations().map((text) => indentMembers([text], 0)),
    ...[...bodies].flatMap(([operation, texts]) => [
      ...layout.getParameterDeclarations(operation).map((text) => indentMembers([text], 0)),
      ...texts,
    ]),
  ];
  const content = escapeInvisible(`${BANNER}\n\n${declarations.join("\n")}\n`);
  return { files: [{ path: "types.ts", content }] };
}

function printComponents(
  { components }: Api,
  schemaNames: TypeNames["schemas"],
  layout: OperationTypes,
): string {
  const sections = {
    schemas: [...schemaNames].map(([{ name, deprecated }, typeName]) => {
      return `${deprecated ? "/** @deprecated */\n" : ""}${printPropertyKey(name)}: ${typeName};`;
    }),
    responses: printEach(components.responses, (name, response) => layout.printResponse(name, response)),
    parameters: printEach(components.parameters, (name, parameter) => layout.printParameter(name, parameter)),
    requestBodies: printEach(components.requestBodies, (name, body) => layout.printRequestBody(name, body)),
    headers: printEach(components.headers, (name, header) => layout.printHeader(name, header)),
    pathItems: [],
  };
  return Object.entries(sections)
    .map(([section, members]) =>
      members.length === 0 ? `  ${section}: never;` : `  ${section}: {\n${indentMembers(members, 2)}\n  };`,
    )
    .join("\n");
}

function printEach<T>(parts: ReadonlyMap<string, T>, print: (name: string, part: T) => string): string[] {
  return [...parts].map(([name, part]) => print(name, part));
}

function printInterface(name: string, members: string): string {
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
    return line.length <= MAX_LINE_LENGTH ? line : lines;
  });
  return joined === text ? text : joinSmallObjects(joined);
}

/** Matches an object with one member. */
const SMALL_OBJECT = /^(.*)\{\n *(.*);\n *\}(.*)$/gm;
