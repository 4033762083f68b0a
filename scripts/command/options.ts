import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { DiagnosticError } from "../diagnostic.js";
import { defaultEmitters, responseValidators } from "../emit/registry.js";
import type { GenerationSettings } from "../generation-settings.js";
import { describeArgumentError } from "../print-diagnostics.js";
import { refuseUrl } from "../require-options.js";
import { quoteShellArgument, suggestName } from "../text.js";

/** The command to show in messages. Only this repository runs the TypeScript source, with an npm script. */
const COMMAND_NAME = import.meta.url.endsWith(".ts")
  ? "npm run generate --"
  : "npx openapi-compiler generate";

const DEFAULT_SPEC = "spec/openapi.yaml";

export const HELP = `Generates types, routes, a client, validators and openapi.json from an OpenAPI
3.0, 3.1 or 3.2 document. Supports JSON, JSON lines, text, forms, multipart
bodies with files, binary bodies and event streams.

  ${COMMAND_NAME} --spec FILE --out DIR
      --adapters DIR   add a stub there for each operation without a handler
      --root DIR       allow references to all files in this folder
                       (monorepos); the folder of FILE by default
      --formats annotate
                       do not check string formats, which JSON Schema treats
                       as annotations
      --check          write nothing; list what is out of date
      --response-validators
                       emit response-validators.js too, to check responses in
                       tests and development
      --watch          generate again whenever the document or an adapter is
                       saved; stop with Ctrl-C

Without --spec and --out, reads ${DEFAULT_SPEC}, writes generated/ and adds
stubs to src/adapters/.

Exit codes: 0 done or up to date; 1 out of date (--check); 2 wrong document or
arguments, or any other failure.
`;

export interface CommandOptions extends GenerationSettings {
  check: boolean;
  watch: boolean;
  /** The command line without `--check`, to run when files are out of date. */
  commandWithoutCheck: string;
}

/**
 * Parses the command line. Returns undefined if help is requested.
 *
 * @throws DiagnosticError for unknown, invalid or contradictory options
 */
export function parseOptions(args: string[]): CommandOptions | undefined {
  const values = parseCommandLine(args);
  if (values.help) return undefined;
  const { spec, out, check, watch } = values;
  for (const name of ["spec", "out", "adapters", "root"] as const)
    if (values[name] === "") throw new DiagnosticError(`--${name} is empty. Give it a path.`);
  if ((spec === undefined) !== (out === undefined))
    throw new DiagnosticError("--spec and --out go together. Give both or neither.");
  if (spec === undefined && !watch && !existsSync(DEFAULT_SPEC))
    throw new DiagnosticError(`${DEFAULT_SPEC} does not exist. Give --spec and --out.`);
  if (check && watch) throw new DiagnosticError("--check and --watch exclude each other. Give one of them.");
  if (spec !== undefined) refuseUrl("--spec", spec);
  const { formats } = values;
  if (formats !== "assert" && formats !== "annotate")
    throw new DiagnosticError(`--formats must be assert or annotate, not ${JSON.stringify(formats)}.`);
  const argumentsWithoutCheck = args.filter((argument) => argument !== "--check");
  return {
    spec: path.resolve(spec ?? DEFAULT_SPEC),
    out: path.resolve(out ?? "generated"),
    adapters: values.adapters ?? (spec === undefined ? "src/adapters" : undefined),
    root: values.root,
    emitters: [
      ...defaultEmitters({ formats }),
      ...(values["response-validators"] ? [responseValidators({ formats })] : []),
    ],
    check,
    watch,
    // Without arguments, npm needs no `--`.
    commandWithoutCheck: [COMMAND_NAME, ...argumentsWithoutCheck.map(quoteShellArgument)]
      .join(" ")
      .replace(/ --$/, ""),
  };
}

const OPTIONS = {
  check: { type: "boolean", default: false },
  watch: { type: "boolean", default: false },
  spec: { type: "string" },
  out: { type: "string" },
  adapters: { type: "string" },
  root: { type: "string" },
  formats: { type: "string", default: "assert" },
  "response-validators": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

function parseCommandLine(args: string[]) {
  try {
    const { values, tokens } = parseArgs({ args, tokens: true, options: OPTIONS });
    const names = tokens.flatMap((token) =>
      token.kind === "option" && token.value !== undefined ? [token.name] : [],
    );
    const repeated = names.find((name, index) => names.indexOf(name) < index);
    if (repeated !== undefined) throw new DiagnosticError(`--${repeated} is given twice. Give it once.`);
    return values;
  } catch (error) {
    const reason = describeArgumentError(error);
    if (reason === undefined) throw error;
    const [, unknown = ""] = /^Unknown option '--(.*)'/.exec(reason) ?? [];
    // For --no-check, a suggestion of --check would be the opposite.
    const suggestion = suggestName(unknown.replace(/^no-/, ""), Object.keys(OPTIONS));
    const remedy =
      suggestion === undefined ? `Run \`${COMMAND_NAME} --help\`.` : `Did you mean --${suggestion}?`;
    throw new DiagnosticError(`${reason} ${remedy}`);
  }
}
