import { printPropertyKey } from "../../code/encode.js";
import { unescapePointer } from "../../json.js";
import type { Api, MediaType } from "../../model/model.js";
import { toPascalCase } from "../../model/names.js";
import { inferSerializedType } from "../../model/parameters/serialized-type.js";
import type { Schema } from "../../model/schema/schema.js";
import type { Compiler, ObjectMember } from "./compiler/compiler.js";

/** A request or a response, as its validators see it. */
export interface Message {
  /** Property of its validators in the generated object: the name of the operation, or the status. */
  property: string;
  /** JSON pointer of its operation. */
  pointer: string;
  groups: readonly MemberGroup[];
  bodies: readonly ParsedBody[];
  /** Name of the function that checks a body without a component. */
  bodyName: string;
}

/** A body of one media type whose value is checked. */
interface ParsedBody {
  mediaType: string;
  schema: Schema;
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
type NamedKey = [key: string, name: string];

/**
 * Lists the bodies that are checked: parsed bodies, text whose schema is that of a string, and each item of JSON lines, but not
 * bodies that handlers receive as bytes. In a multipart body, the schemas of files allow any value.
 */
export function listParsedBodies(api: Api, mediaTypes: readonly MediaType[]): ParsedBody[] {
  return mediaTypes.flatMap((each) => {
    const { name: mediaType, kind, schema: declared, item } = each;
    let schema = kind === "lines" || kind === "sequence" ? item?.schema : undefined;
    if (kind === "json" || kind === "form") schema = declared;
    if (kind === "text" && declared && inferSerializedType(declared) === "string") schema = declared;
    if (kind === "multipart") schema = api.multipartSchemas.bodies.get(each);
    return schema ? [{ mediaType, schema }] : [];
  });
}

/**
 * Names the functions that check the parts of a message. A parameter of a path or of another operation is not named after this
 * one, so that a further operation that uses it renames nothing.
 */
export function nameFunctions({ pointer, groups, bodies, bodyName }: Message): NamedKey[] {
  return [
    ...groups.map(({ key, name }): NamedKey => [key, name]),
    ...groups.flatMap(({ name: groupName, members }) =>
      members.flatMap(({ name, schema }): NamedKey[] => {
        if (schema?.isInComponents) return [[schema.key, makeComponentName(schema)]];
        if (!schema?.pointer.startsWith(`${pointer}/`)) return [];
        return [[schema.key, groupName + toPascalCase(name)]];
      }),
    ),
    ...bodies.map(({ mediaType, schema }): NamedKey => {
      const name = schema.isInComponents ? makeComponentName(schema) : bodyName;
      // A suffix for media types other than JSON, such as `XWwwFormUrlencoded`.
      const isJson = mediaType === "application/json";
      return [schema.key, isJson ? name : name + toPascalCase(mediaType.replace(/^application\//, ""))];
    }),
  ];
}

/**
 * Prints the property with the validators of a message: one for each group, and `body` with one for each media type. Omits
 * parts that need none.
 */
export function printValidators({ property, groups, bodies }: Message, compiler: Compiler): string[] {
  const lines = bodies.flatMap(({ mediaType, schema }) => {
    const check = compiler.addCheck(schema);
    return check === undefined ? [] : [`${printPropertyKey(mediaType)}: validator(${check}),`];
  });
  return printObjectProperty(property, [
    ...groups.map((group) => `${group.property}: validator(${compiler.addMembersCheck(group)}),`),
    ...(lines.length === 0 ? [] : printObjectProperty("body", lines)),
  ]);
}

/** Prints a property whose value is an object with the given lines. */
export function printObjectProperty(name: string, lines: readonly string[]): string[] {
  const key = printPropertyKey(name);
  return lines.length === 0 ? [`${key}: {},`] : [`${key}: {`, ...lines.map((line) => `  ${line}`), "},"];
}

/** Makes the name of the function of a component: `perPageParameter` for `/components/parameters/perPage`. */
function makeComponentName({ pointer }: Schema): string {
  const [, , section = "", name = ""] = pointer.split("/");
  return unescapePointer(name) + (SECTION_SUFFIXES.get(section) ?? "");
}

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
