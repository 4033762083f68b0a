import { BANNER, printPropertyKey } from "../../code/encode.js";
import { escapePointer } from "../../json.js";
import type { Api, Operation, Response } from "../../model/model.js";
import { toIdentifier, toPascalCase } from "../../model/names.js";
import { groupParameters, type ParameterGroup } from "../../model/parameters/parameter-groups.js";
import type { Schema } from "../../model/schema/schema.js";
import type { Emission } from "../emitter.js";
import { Compiler } from "./compiler/compiler.js";
import { FORMATS, type ValidatorOptions } from "./formats.js";
import {
  listParsedBodies,
  type MemberGroup,
  type Message,
  nameFunctions,
  printObjectProperty,
  printValidators,
} from "./message-validators.js";

/**
 * Emits validators.js and validators.d.ts: request validators for every operation, compiled ahead of time. Schemas that
 * cannot be compiled are reported as problems.
 */
export function emitValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const requests = api.operations.map((operation) => createRequest(api, operation));
  const compiler = createCompiler(api, requests, options);
  const members = requests.flatMap((request) => printValidators(request, compiler));
  return emitModule(REQUEST_MODULE, api, compiler, members);
}

const REQUEST_MODULE = {
  name: "validators",
  constant: "validators",
  doc: "Request validators by operation; parts without a check are omitted.",
  memberType: "RequestValidators",
  types: `
/** Validators of a request: of parameters by location, of the body by media type. */
export interface RequestValidators {
  path?: Validator;
  query?: Validator;
  headers?: Validator;
  cookies?: Validator;
  body?: Record<string, Validator>;
}

`,
};

function createRequest(api: Api, operation: Operation): Message {
  const { name: property, pointer, body } = operation;
  return {
    property,
    pointer,
    groups: groupParameters(operation).map((group) => createMemberGroup(operation, group)),
    bodies: listParsedBodies(api, body?.mediaTypes ?? []),
    bodyName: `${property}Body`,
  };
}

/**
 * Creates the group of the parameters of one location. Operations with the same component parameters share its function, e.g.
 * `ownerRepoPath`.
 */
function createMemberGroup(
  { name: operation }: Operation,
  { member, parameters }: ParameterGroup,
): MemberGroup {
  const shared = { property: member, members: parameters };
  const suffix = toPascalCase(member);
  if (!parameters.every(({ schema }) => schema?.isInComponents))
    return { ...shared, key: `#/operations/${operation}/${member}`, name: `${operation}${suffix}` };
  const pointers = parameters.map(({ pointer }) => pointer);
  const names = parameters.map(({ name }) => name);
  return {
    ...shared,
    key: `#/parameters/${member}/${escapePointer(pointers.join(" "))}`,
    name: `${toIdentifier(names.join(" "))}${suffix}`,
  };
}

/**
 * Emits response-validators.js and response-validators.d.ts, which check responses in tests and during development.
 * Optional: servers do not need them, and they are large, because responses contain most schemas of a document.
 */
export function emitResponseValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const responses = api.operations.map((operation) => ({
    name: operation.name,
    messages: operation.responses.map((response) => createResponse(api, operation, response)),
  }));
  const allMessages = responses.flatMap(({ messages }) => messages);
  const compiler = createCompiler(api, allMessages, options);
  const members = responses.flatMap(({ name, messages }) =>
    printObjectProperty(
      name,
      messages.flatMap((message) => printValidators(message, compiler)),
    ),
  );
  return emitModule(RESPONSE_MODULE, api, compiler, members);
}

const RESPONSE_MODULE = {
  name: "response-validators",
  constant: "responseValidators",
  doc: "Response validators by operation and status; parts without a check are omitted.",
  memberType: "Record<string, ResponseValidators>",
  types: `
/** Validators of a response: of headers by lower-case name, of the body by media type. */
export interface ResponseValidators {
  headers?: Validator;
  body?: Record<string, Validator>;
}

/** By operation, and by status as the document spells it. */
`,
};

/** Creates the checked parts of a response. Header names are in lower case, as Node.js and fetch return them. */
function createResponse(api: Api, operation: Operation, { key, headers, mediaTypes }: Response): Message {
  const prefix = `${operation.name}${key === "default" ? "Default" : key}`;
  const group = {
    property: "headers",
    key: `#/operations/${operation.name}/responses/${key}/headers`,
    name: `${prefix}Headers`,
    members: headers.map((header) => ({ ...header, name: header.name.toLowerCase() })),
  };
  // Streams are written item by item, so there is no complete value to check.
  const checked = mediaTypes.filter(({ item }) => item === undefined);
  return {
    property: key,
    pointer: operation.pointer,
    groups: headers.length === 0 ? [] : [group],
    bodies: listParsedBodies(api, checked),
    bodyName: `${prefix}Response`,
  };
}

/** A generated module that exports an object with a member for each operation. */
interface ValidatorModule {
  /** Base name of its files. */
  name: string;
  /** Name and doc comment of the object. */
  constant: string;
  doc: string;
  /** The type of the members, its declaration, and a doc comment for the object, which follows the declaration. */
  memberType: string;
  types: string;
}

function createCompiler(
  api: Api,
  messages: readonly Message[],
  { formats = "assert" }: ValidatorOptions,
): Compiler {
  return new Compiler({
    names: nameAllFunctions(api, messages),
    formats: new Map(formats === "assert" ? Object.entries(FORMATS) : []),
  });
}

/**
 * Emits a JavaScript module with the code that a compiler has compiled for its members, its declarations, and an error for each schema
 * that cannot be compiled.
 */
function emitModule(
  { name, constant, doc, memberType, types }: ValidatorModule,
  api: Api,
  compiler: Compiler,
  members: readonly string[],
): Emission {
  const code = compiler.printCode();
  const problems = compiler.problems.map((problem) => {
    if (problem.severity !== "error") return problem;
    return { ...problem, message: `This schema cannot be compiled to a validator: ${problem.message}.` };
  });
  // For projects with `checkJs`, which would report the parameters without types of compiled code.
  const noCheck = "// @ts-nocheck: compiled JavaScript, whose types are in the .d.ts file";
  const object = members.length === 0 ? "{}" : ["{", ...members.map((line) => `  ${line}`), "}"].join("\n");
  const content = `${BANNER}\n${noCheck}\n\n${code}\n\n/** ${doc} */\nexport const ${constant} = ${object};\n`;
  const memberTypes = api.operations.map((each) => `\n  ${printPropertyKey(each.name)}: ${memberType};`);
  const typeOfConstant = `{${memberTypes.join("")}${memberTypes.length > 0 ? "\n" : ""}}`;
  const files = [
    { path: `${name}.js`, content },
    {
      path: `${name}.d.ts`,
      content: `${BANNER}\n\n${VALIDATOR_TYPES}${types}export const ${constant}: ${typeOfConstant};\n`,
    },
  ];
  return { files, problems };
}

/** Names the functions of a module after the schemas of the document and the parts of the messages. */
function nameAllFunctions(api: Api, messages: readonly Message[]): Map<string, string> {
  const names = new Map<string, string>();
  const addNames = (schemas: Iterable<Schema>, suffix: string): void => {
    for (const schema of schemas)
      for (const variant of [schema.response, schema.request])
        names.set(variant.key, `${variant.name}${suffix}`);
  };
  addNames(api.schemas.components().values(), "");
  // In multipart bodies, strings can be files. Their schemas compile to functions of their own, from other graphs.
  addNames(api.multipartSchemas.components, "Multipart");
  // Replaces names of components that a message uses for one of its parts.
  for (const [key, name] of messages.flatMap(nameFunctions)) names.set(key, name);
  return names;
}

/** The same types as in the runtime. Declared in each module, so that validators work without the runtime. */
const VALIDATOR_TYPES = `/** Checks a value. If it returns false, \`errors\` has the reasons. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ValidationError[] | null;
}

/** An error of a value. */
export interface ValidationError {
  /** JSON pointer into the value. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  /** Errors of each branch, if no branch of a union matches. */
  branches?: ValidationError[][];
}
`;
