import { BANNER, printPropertyKey } from "../../code/encode.js";
import type { Api } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import type { Problem } from "../../diagnostic.js";
import type { Emission } from "../emitter.js";
import { Compiler } from "./compiler/compiler.js";
import { FORMATS, type ValidatorOptions } from "./formats.js";
import { type Message, nameFunctions } from "./message-validators.js";

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

/**
 * Emits a JavaScript module with compiled validators, and its declarations. If a schema cannot be compiled, emits errors instead
 * of files.
 */
export function emitValidatorModule(
  { name, constant, doc, memberType, types }: ValidatorModule,
  api: Api,
  messages: readonly Message[],
  { formats = "assert" }: ValidatorOptions,
  printMembers: (compiler: Compiler) => string[],
): Emission {
  const compiler = new Compiler({
    names: nameAllFunctions(api, messages),
    formats: new Map(formats === "assert" ? Object.entries(FORMATS) : []),
  });
  const members = printMembers(compiler);
  const errors = compiler.errors.map(({ pointer, message }): Problem => ({
    severity: "error",
    pointer,
    message: `This schema cannot be compiled to a validator: ${message}.`,
  }));
  const warnings = compiler.warnings.map((problem): Problem => ({ severity: "warning", ...problem }));
  // For projects with `checkJs`, which would report the parameters without types of compiled code.
  const noCheck = "// @ts-nocheck: compiled JavaScript, whose types are in the .d.ts file";
  const object = members.length === 0 ? "{}" : ["{", ...members.map((line) => `  ${line}`), "}"].join("\n");
  const content = `${BANNER}\n${noCheck}\n\n${compiler.printCode()}\n\n/** ${doc} */\nexport const ${constant} = ${object};\n`;
  const memberTypes = api.operations.map((each) => `\n  ${printPropertyKey(each.name)}: ${memberType};`);
  const typeOfConstant = `{${memberTypes.join("")}${memberTypes.length > 0 ? "\n" : ""}}`;
  const files = [
    { path: `${name}.js`, content },
    {
      path: `${name}.d.ts`,
      content: `${BANNER}\n\n${VALIDATOR_TYPES}${types}export const ${constant}: ${typeOfConstant};\n`,
    },
  ];
  return { files: errors.length > 0 ? [] : files, problems: [...errors, ...warnings] };
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
