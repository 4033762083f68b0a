import { printPropertyKey } from "../../code/encode.js";
import { unescapePointer } from "../../json.js";
import type { Api, MediaType } from "../../model/model.js";
import { toPascalCase } from "../../model/names.js";
import type { Schema } from "../../model/schema/schema.js";
import type { Compiler, ObjectMember } from "./compiler/compiler.js";

/** A request or a response, as its validators see it. */
export interface Message {
  groups: readonly MemberGroup[];
  mediaTypes: readonly MediaType[];
  /** Name of the function that checks a body without a component. */
  bodyName: string;
}

/** The parameters of one location, or all headers, which together have no schema in the document. */
export interface MemberGroup {
  /** Property of the validator in the generated object. */
  property: string;
  /** Identifies the members: groups with the same key share one function. */
  key: string;
  /** Name of that function. */
  name: string;
  members: readonly ObjectMember[];
}

/** The key of a schema and the name of its function. */
export type NamedKey = [key: string, name: string];

/**
 * Finds the schema for the validation of a parsed body, or of each item of JSON lines; undefined for a body that handlers
 * receive as text or bytes. In a form or multipart body, the schemas of files allow any value.
 */
function findParsedBodySchema(api: Api, { kind, schema, item }: MediaType): Schema | undefined {
  if (kind === "json") return schema;
  if (kind === "lines" || kind === "sequence") return item?.schema;
  return schema && (kind === "form" || kind === "multipart") ? api.schemas.findFormSchema(schema) : undefined;
}

/** Names the functions that check the parts of a message. */
export function nameFunctions(api: Api, { groups, mediaTypes, bodyName }: Message): NamedKey[] {
  const memberSchemas = groups.flatMap(({ members }) => members.flatMap(({ schema }) => schema ?? []));
  return [
    ...groups.map(({ key, name }): NamedKey => [key, name]),
    ...memberSchemas.filter(isComponent).map((schema): NamedKey => [schema.key, makeComponentName(schema)]),
    ...mediaTypes.flatMap((mediaType): NamedKey[] => {
      const schema = findParsedBodySchema(api, mediaType);
      if (!schema) return [];
      const name = isComponent(schema) ? makeComponentName(schema) : bodyName;
      return [[schema.key, name + makeMediaTypeSuffix(mediaType)]];
    }),
  ];
}

/**
 * Prints the properties with the validators of a message: one for each group, and `body` with one for each media type. Omits
 * parts that need none.
 */
export function printValidators(api: Api, { groups, mediaTypes }: Message, compiler: Compiler): string[] {
  const bodies = mediaTypes.flatMap((mediaType) => {
    const schema = findParsedBodySchema(api, mediaType);
    const check = schema && compiler.addCheck(schema);
    return check === undefined ? [] : [`${printPropertyKey(mediaType.name)}: validator(${check}),`];
  });
  return [
    ...groups.map(
      ({ property, key, members }) =>
        `${property}: validator(${compiler.addMembersCheck(key, members, isComponent)}),`,
    ),
    ...(bodies.length === 0 ? [] : printObjectProperty("body", bodies)),
  ];
}

/** Prints a property whose value is an object with the given lines. */
export function printObjectProperty(name: string, lines: readonly string[]): string[] {
  const key = printPropertyKey(name);
  return lines.length === 0 ? [`${key}: {},`] : [`${key}: {`, ...lines.map((line) => `  ${line}`), "},"];
}

/** Whether a schema is in the components of the document, which operations share. */
export function isComponent({ pointer }: Schema): boolean {
  return pointer.startsWith("/components/");
}

/** Makes the name of the function of a component: `perPageParameter` for `/components/parameters/perPage`. */
function makeComponentName({ pointer }: Schema): string {
  const [, , section = "", name = ""] = pointer.split("/");
  return unescapePointer(name) + (SECTION_SUFFIXES.get(section) ?? "");
}

/** Makes the suffix for a media type other than JSON, e.g. `XWwwFormUrlencoded`. */
function makeMediaTypeSuffix({ name }: MediaType): string {
  return name === "application/json" ? "" : toPascalCase(name.replace(/^application\//, ""));
}

/** Suffixes of function names by the section of `components`. */
const SECTION_SUFFIXES: ReadonlyMap<string, string> = new Map([
  ["schemas", "Schema"],
  ["parameters", "Parameter"],
  ["headers", "Header"],
  ["requestBodies", "RequestBody"],
  ["responses", "Response"],
  ["mediaTypes", "MediaType"],
  ["pathItems", "PathItem"],
  ["callbacks", "Callback"],
]);
