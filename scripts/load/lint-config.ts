import path from "node:path";
import { fileURLToPath } from "node:url";
import { createConfig, type Config, type RawUniversalConfig } from "@redocly/openapi-core";
import type { Diagnostic } from "../diagnostic.js";
import { EXAMPLE_RULES, examplesFit } from "./examples/examples.js";
import type { ParsedFile } from "./inspect.js";
import { positionIn } from "./places.js";
import { isObject, ownValue, toPointer } from "./pointer.js";
import type { OpenApiVersion } from "./version.js";

/** Rules that no configuration switches off: a document that breaks them cannot be generated from. */
const BASE_RULES = [
  "struct",
  "no-unresolved-refs",
  "operation-operationId-unique",
  "path-parameters-defined",
  "no-identical-paths",
];

/** It asks for an order of keys, and the document is read with its keys in an order of our own, see canonical.ts. */
const ORDER_RULE = "path-http-verbs-order";

export interface LintConfig {
  config: Config;
  /** Base rules that the document's own configuration has as errors: all their findings count as such. */
  strict: ReadonlySet<string>;
  /** What is wrong with the configuration file. With an error among them nothing must be generated. */
  problems: Diagnostic[];
}

/** Presets that come with Redocly. Any other `extends` is a file, a URL or a plugin. */
const PRESETS = new Set(["minimal", "recommended", "recommended-strict", "spec", "all"]);
const RULE_KEYS = ["rules", "oas3_0Rules", "oas3_1Rules", "oas3_2Rules"];
/** They change the document while it is bundled, and some read any file. */
const CHANGING_KEYS = ["decorators", "preprocessors"].flatMap((key) => [
  key,
  ...["oas3_0", "oas3_1", "oas3_2"].map((version) => version + key.charAt(0).toUpperCase() + key.slice(1)),
]);

/**
 * Makes Redocly's lint configuration from a configuration file, or from the base rules alone without one.
 * Of the file only presets and rules are taken: plugins are code, and the file may be as foreign as the
 * document beside it.
 */
export async function makeLintConfig(
  file: ParsedFile | undefined,
  version: OpenApiVersion,
): Promise<LintConfig> {
  const problems = file ? findProblems(file) : [];
  const usable = file && !problems.some((problem) => problem.severity === "error");
  const config = await tryCreate(usable ? pickRules(file.parsed) : {}, file, problems);
  const strict = new Set(
    BASE_RULES.filter((rule) => config.getRuleSettings(rule, version).severity === "error"),
  );
  for (const rule of BASE_RULES) if (!strict.has(rule)) config.rules[version][rule] = "error";
  config.rules[version][ORDER_RULE] = "off";
  return { config, strict, problems };
}

/**
 * Switches off the rules that check examples if all examples of a document fit: these rules compile every schema that
 * has one, which takes longer than everything else that lint does.
 * @param document bundled
 */
export function withoutFittingExamples(
  { config }: LintConfig,
  document: Record<string, unknown>,
  version: OpenApiVersion,
): void {
  const rules = EXAMPLE_RULES.filter((rule) => config.getRuleSettings(rule, version).severity !== "off");
  if (rules.length === 0 || !examplesFit(document)) return;
  for (const rule of rules) config.rules[version][rule] = "off";
}

/** Finds everything in a configuration file that is refused or not followed. */
function findProblems(file: ParsedFile): Diagnostic[] {
  const { parsed } = file;
  const problems: Diagnostic[] = [];
  const report = (severity: Diagnostic["severity"], pointer: string, message: string) =>
    problems.push({ severity, message, position: positionIn(file.source, pointer) });

  if (parsed === null || parsed === undefined) return [];
  if (!isObject(parsed)) {
    report("error", "", "The lint configuration is not an object. Write `extends:` and `rules:`.");
    return problems;
  }
  const apis = ownValue(parsed, "apis");
  const owners: [string[], unknown][] = [
    [[], parsed],
    ...Object.entries(isObject(apis) ? apis : {}).map(([name, api]): [string[], unknown] => [
      ["apis", name],
      api,
    ]),
  ];
  for (const [keys, owner] of owners) {
    const plugins = ownValue(owner, "plugins");
    if (plugins !== undefined && !(Array.isArray(plugins) && plugins.length === 0))
      report(
        "error",
        toPointer([...keys, "plugins"]),
        "Plugins are code and are never run from a document's folder. Remove them, or name another configuration.",
      );
  }
  for (const key of CHANGING_KEYS)
    if (Object.hasOwn(parsed, key))
      report(
        "warning",
        `/${key}`,
        `\`${key}\` is not applied: the document is generated from as it is written.`,
      );
  for (const [name, api] of Object.entries(isObject(apis) ? apis : {}))
    for (const key of ["extends", ...RULE_KEYS])
      if (ownValue(api, key) !== undefined)
        report(
          "warning",
          toPointer(["apis", name, key]),
          `\`${key}\` of one API is not read. Move it to the top level.`,
        );
  problems.push(...findForeignPresets(file, parsed));
  for (const key of RULE_KEYS) {
    const rules = parsed[key];
    if (rules !== undefined && rules !== null && !isObject(rules))
      report("error", `/${key}`, `\`${key}\` must be an object of rule names and severities.`);
    else if (hasRef(rules)) report("error", `/${key}`, "A $ref is not followed here. Write the rules out.");
  }
  return problems;
}

function findForeignPresets(file: ParsedFile, parsed: Record<string, unknown>): Diagnostic[] {
  const presets = parsed["extends"] ?? [];
  const refuse = (pointer: string, message: string): Diagnostic => ({
    severity: "error",
    message,
    position: positionIn(file.source, pointer),
  });
  const names = [...PRESETS].join(", ");
  if (!Array.isArray(presets)) return [refuse("/extends", `\`extends\` must be a list of: ${names}.`)];
  return presets.flatMap((preset: unknown, index) =>
    typeof preset === "string" && PRESETS.has(preset)
      ? []
      : refuse(
          `/extends/${index}`,
          `Only Redocly's own presets can be extended (${names}); files, URLs and plugins are not read. Write the rules out here.`,
        ),
  );
}

function hasRef(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  return Object.hasOwn(node, "$ref") || Object.values(node).some(hasRef);
}

function pickRules(parsed: unknown): Record<string, unknown> {
  const keys = ["extends", ...RULE_KEYS].filter((key) => (ownValue(parsed, key) ?? null) !== null);
  return Object.fromEntries(keys.map((key) => [key, ownValue(parsed, key)]));
}

async function tryCreate(
  rules: Record<string, unknown>,
  file: ParsedFile | undefined,
  problems: Diagnostic[],
): Promise<Config> {
  // Redocly also loads `@theme/plugin.js` beside the configuration. This folder, which is ours, has none.
  const configPath = path.join(path.dirname(fileURLToPath(import.meta.url)), "redocly.yaml");
  try {
    // The shape of each rule's own settings is Redocly's to check.
    return await createConfig(rules as RawUniversalConfig, { configPath });
  } catch (error) {
    if (!file) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    problems.push({
      severity: "error",
      message: `The lint configuration cannot be used: ${reason}`,
      position: positionIn(file.source, ""),
    });
    return createConfig({}, { configPath });
  }
}
