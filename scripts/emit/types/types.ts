import { MAX_LINE_LENGTH } from "../../code/break-lines.js";
import { BANNER, escapeInvisible, printDocComment } from "../../code/encode.js";
import { compareText } from "../../text.js";
import { getOrCreate, groupBy } from "../../maps.js";
import type { Api, Operation } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import type { Emission } from "../emitter.js";
import { nameTypes, type OperationTypeNames, type TypeNames } from "../common/type-names.js";
import { listRequestBodies, listSuccessBodies, type TypedBody } from "../common/typed-bodies.js";
import { createSchemaDocs } from "./docs.js";
import { type NamedType, OperationTypes } from "./operation-types.js";
import { SchemaTypes } from "./schema-types.js";
import { createObject, createTypeName, type Member, printType, type Type } from "./type.js";

/**
 * Emits types.ts: `paths`, `webhooks`, `components` and `operations` in the layout of openapi-typescript, and an exported
 * type for each component schema, and for the parameters and bodies of each operation.
 */
export function emitTypes(api: Api): Emission {
  const names = nameTypes(api);
  const schemaTypes = new SchemaTypes(api, names.schemas);
  const bodies = Array.from(names.operations, ([operation, typeNames]) => ({
    operation,
    declarations: listBodyDeclarations(operation, typeNames),
  }));
  /** Types of schemas where they are used. */
  const inlineTypes = nameInlineBodies(bodies.flatMap(({ declarations }) => declarations));
  const paths = [...groupBy(api.operations, ({ path }) => path)].sort(([a], [b]) => compareText(a, b));
  const webhooks = [...groupBy(api.webhooks, ({ webhook = "" }) => webhook)];
  const ids = identifyOperations([...paths, ...webhooks].flatMap(([, operations]) => operations));
  const operationTypes = new OperationTypes(
    api.components,
    (schema) => getOrCreate(inlineTypes, schema, () => schemaTypes.translate(schema)),
    names,
    ids,
  );
  const operations = Array.from(ids, ([operation, id]) => operationTypes.createOperation(id, operation));
  const createPathItem = (each: readonly [string, Operation[]]): Member =>
    operationTypes.createPathItem(...each);
  const declarations = [
    printRootInterface("paths", printMembers(paths.map(createPathItem), 1)),
    printRootInterface("webhooks", printMembers(webhooks.map(createPathItem), 1)),
    printRootInterface("components", printComponents(api, names.schemas, operationTypes)),
    printRootInterface("$defs", ""),
    ...[...names.schemas].map(([schema, name]) => {
      const type = printType(schemaTypes.translateDeclaration(schema));
      return [...printDocComment(createSchemaDocs(schema)), `export type ${name} = ${type};`].join("\n");
    }),
    printRootInterface("operations", printMembers(operations, 1)),
    ...operationTypes.createHeaderTypes().map(printNamedType),
    ...bodies.flatMap(({ operation, declarations: bodyTypes }) => [
      ...operationTypes.createParameterTypes(operation).map(printNamedType),
      ...bodyTypes.map((each) => printBodyDeclaration(each, schemaTypes)),
    ]),
  ];
  const content = escapeInvisible(`${BANNER}\n\n${declarations.join("\n")}\n`);
  return { files: [{ path: "types.ts", content }] };
}

/** The declaration of a type: the union of the request bodies, or of the success bodies, of an operation. */
interface BodyDeclaration {
  name: string;
  bodies: readonly TypedBody[];
}

/** Lists the declarations for the bodies of an operation that have a name. */
function listBodyDeclarations(
  operation: Operation,
  { requestBody, responseBody }: OperationTypeNames,
): BodyDeclaration[] {
  return [
    ...(requestBody === undefined ? [] : [{ name: requestBody, bodies: listRequestBodies(operation) }]),
    ...(responseBody === undefined ? [] : [{ name: responseBody, bodies: listSuccessBodies(operation) }]),
  ];
}

/** Names the types of inline bodies that are the only ones of their declarations. */
function nameInlineBodies(declarations: readonly BodyDeclaration[]): Map<Schema, Type> {
  const named = declarations.flatMap(({ name, bodies }) =>
    bodies
      .filter((body) => isDeclaredInline(body, bodies))
      .map(({ schema }): [Schema, Type] => [schema, createTypeName(name)]),
  );
  return new Map(named);
}

function isDeclaredInline(
  { isInline, referencedComponent }: TypedBody,
  bodies: readonly TypedBody[],
): boolean {
  return isInline && !referencedComponent && bodies.length === 1;
}

function printBodyDeclaration({ name, bodies }: BodyDeclaration, schemaTypes: SchemaTypes): string {
  const types = bodies.map((body) => {
    if (body.referencedComponent) return schemaTypes.getName(body.referencedComponent);
    return isDeclaredInline(body, bodies) ? printType(schemaTypes.translate(body.schema)) : body.accessType;
  });
  return `export type ${name} = ${[...new Set(types)].join(" | ")};`;
}

/** Assigns the keys of operations in `operations`. A webhook has none without an id of its own. */
function identifyOperations(operations: readonly Operation[]): Map<Operation, string> {
  const byId = new Map<string, Operation>();
  for (const operation of operations)
    if (operation.id !== operation.webhook) getOrCreate(byId, operation.id, () => operation);
  return new Map(Array.from(byId, ([id, operation]) => [operation, id]));
}

function printComponents(
  { components }: Api,
  schemaNames: TypeNames["schemas"],
  operationTypes: OperationTypes,
): string {
  const sections = {
    schemas: [...schemaNames].map(([{ name, deprecated }, typeName]) => {
      const docs = deprecated ? ["@deprecated"] : [];
      return { name, type: createTypeName(typeName), isOptional: false, docs };
    }),
    responses: [...components.responses].map((each) => operationTypes.createResponse(...each)),
    parameters: operationTypes.createSchemaMembers("parameters"),
    requestBodies: [...components.requestBodies].map((each) => operationTypes.createRequestBody(...each)),
    headers: operationTypes.createSchemaMembers("headers"),
    pathItems: [],
  };
  return Object.entries(sections)
    .map(([section, members]) =>
      members.length === 0 ? `  ${section}: never;` : `  ${section}: {\n${printMembers(members, 2)}\n  };`,
    )
    .join("\n");
}

function printRootInterface(name: string, members: string): string {
  if (members === "") return `export type ${name} = Record<string, never>;`;
  return `export interface ${name} {\n${members}\n}`;
}

function printNamedType({ name, type }: NamedType): string {
  return joinSmallObjects(`export type ${name} = ${printType(type)};`);
}

/** Prints members, indented by two spaces per level. */
function printMembers(members: readonly Member[], depth: number): string {
  if (members.length === 0) return "";
  const end = `\n${"  ".repeat(depth - 1)}`;
  const text = printType(createObject(members), end);
  return joinSmallObjects(text.slice("{\n".length, -`${end}}`.length));
}

/** Puts each object with a single member that has no comment on one line, from the inside out. */
function joinSmallObjects(text: string): string {
  const joined = text.replace(SMALL_OBJECT, (lines, start: string, member: string, end: string) => {
    const line = `${start}{ ${member} }${end}`;
    return line.length <= MAX_LINE_LENGTH ? line : lines;
  });
  return joined === text ? text : joinSmallObjects(joined);
}

const SMALL_OBJECT = /^(.*)\{\n *(.*);\n *\}(.*)$/gm;
