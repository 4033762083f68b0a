import { DiagnosticError, hasErrors, type Problem } from "../diagnostic.js";
import type { Api } from "../model/model.js";
import { followPointer } from "../follow-pointer.js";
import { SchemaError } from "../model/schema/schema-error.js";
import type { EmitContext, Emission, Emitter } from "./emitter.js";
import { describeInvalidOutputPath, type GeneratedFile } from "./generated-file.js";

/**
 * Runs emitters one after the other, and checks their results, because emitters of users can be plain JavaScript.
 *
 * @param emitters checked by `requireEmitters` if they are those of users
 * @throws DiagnosticError that names the emitter when its result cannot be used
 * @throws Error that names the emitter when it throws
 */
export async function runEmitters(
  emitters: readonly Emitter[],
  api: Api,
  context: EmitContext,
): Promise<Required<Emission>> {
  const files: GeneratedFile[] = [];
  const problems: Problem[] = [];
  const owners = new Map<string, string>();
  for (const emitter of emitters) {
    const emission = await runEmitter(emitter, api, context);
    for (const { path } of emission.files) {
      const owner = owners.get(path);
      if (owner === emitter.name) throw createEmitterError(emitter, `emits ${path} twice.`);
      if (owner !== undefined)
        throw new DiagnosticError(`The emitters ${owner} and ${emitter.name} both emit ${path}.`);
      owners.set(path, emitter.name);
    }
    files.push(...emission.files);
    problems.push(...emission.problems);
  }
  for (const [path, owner] of owners) {
    // Paths have at most one folder.
    const [folder = ""] = path.split("/");
    if (folder !== path && owners.has(folder))
      throw new DiagnosticError(
        `The emitter ${owner} emits ${path}, but ${folder} is a file of the emitter ${owners.get(folder)}.`,
      );
  }
  // A problem can be the reason that a file is missing.
  if (!hasErrors(problems)) requireImports(emitters, owners);
  return { files, problems };
}

function requireImports(emitters: readonly Emitter[], paths: ReadonlyMap<string, unknown>): void {
  for (const emitter of emitters) {
    const missing = emitter.imports?.find((file) => !paths.has(file));
    if (missing !== undefined)
      throw createEmitterError(
        emitter,
        `imports ${missing}, which no emitter emits. Add the emitter of this file, such as types() for types.ts, to \`emitters\`.`,
      );
  }
}

/** Checks that the value of the option `emitters` is a list of emitters with unique names; throws a DiagnosticError otherwise. */
export function requireEmitters(emitters: unknown): void {
  if (!Array.isArray(emitters)) throw new DiagnosticError("`emitters` must be a list.");
  const names = new Set<unknown>();
  for (const [index, emitter] of emitters.entries()) {
    // Safe cast: the members are checked here.
    const { name, emit, imports = [] } = Object(emitter) as Partial<Emitter>;
    if (typeof name !== "string" || typeof emit !== "function")
      throw new DiagnosticError(
        `emitters[${index}] is not an emitter: it needs a name and a function emit. Built-in emitters are the results of functions, such as types().`,
      );
    if (!Array.isArray(imports))
      throw new DiagnosticError(`The \`imports\` of the emitter ${name} must be a list of paths.`);
    if (names.has(name)) throw new DiagnosticError(`Two emitters have the name ${name}.`);
    names.add(name);
  }
}

async function runEmitter(emitter: Emitter, api: Api, context: EmitContext): Promise<Required<Emission>> {
  let emission: Emission;
  try {
    emission = await emitter.emit(api, context);
  } catch (error) {
    if (error instanceof DiagnosticError || error instanceof SchemaError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The emitter ${emitter.name} failed: ${reason}`, { cause: error });
  }
  // Safe cast: the type allows only an Emission, but plain JavaScript can return anything.
  const { files, problems = [] } = Object(emission) as Partial<Emission>;
  if (!Array.isArray(files)) throw createEmitterError(emitter, "must return an object with a list `files`.");
  if (!Array.isArray(problems)) throw createEmitterError(emitter, "must return `problems` as a list.");
  const mistakes = [
    ...files.map(describeInvalidFile),
    ...problems.map((problem) => describeInvalidProblem(problem, api)),
  ];
  const mistake = mistakes.find((each) => each !== undefined);
  if (mistake !== undefined) throw createEmitterError(emitter, mistake);
  return { files, problems };
}

function describeInvalidFile(file: GeneratedFile): string | undefined {
  const { path, content }: Partial<GeneratedFile> = Object(file);
  if (typeof path !== "string" || typeof content !== "string")
    return "returns a file whose path or content is not a string.";
  const problem = describeInvalidOutputPath(path);
  return problem && `emits ${JSON.stringify(path)}. ${problem}`;
}

function describeInvalidProblem(problem: Problem, api: Api): string | undefined {
  const { severity, message, pointer }: Partial<Problem> = Object(problem);
  if (typeof message !== "string") return "reports a problem whose message is not a string.";
  const title = `reports a problem (${JSON.stringify(message)})`;
  if (severity !== "error" && severity !== "warning")
    return `${title} with the severity ${String(severity)}, which must be error or warning.`;
  const isPointer = typeof pointer === "string" && /^(?:\/|$)/.test(pointer);
  if (isPointer && followPointer(api.document, pointer)) return undefined;
  return `${title} at ${JSON.stringify(pointer)}, which is not a JSON pointer to a value of the document, such as the pointer of an operation or a schema.`;
}

function createEmitterError({ name }: Emitter, message: string): DiagnosticError {
  return new DiagnosticError(`The emitter ${name} ${message}`);
}
