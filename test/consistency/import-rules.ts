import path from "node:path";
import ts from "typescript";

/** Source files by path relative to the project, with `/`; the values are their texts. */
export type Sources = ReadonlyMap<string, string>;

interface Rule {
  /** The importing files: one file, or a folder that ends in `/`. The first rule that covers a file applies. */
  readonly files: string;
  /** Files and folders of the project that they may import, besides their own folder. */
  readonly may: readonly string[];
  /** Files and folders of which they may import types only. */
  readonly types?: readonly string[];
}

/**
 * Pure functions that storage needs to derive index columns from values, to parse stored schemas and to compare
 * conditions. It imports only types from the rest of the domain, so that it contains no rules.
 */
const STORAGE_HELPERS = [
  "src/domain/ids.ts",
  "src/domain/is-object.ts",
  "src/domain/properties/index-rows.ts",
  "src/domain/properties/plain-text.ts",
  "src/domain/query/condition.ts",
  "src/domain/schema.ts",
  "src/domain/text.ts",
  "src/domain/trigrams.ts",
];

/** Types of the table of operations, which the toolkit writes and the runtime reads. */
const OPERATION_TYPES = "src/http/types.ts";

/** Constants that every layer of the service may import. */
const BUDGETS = "src/budgets.ts";

/** Units of time and size that every layer of the service may use. */
const UNITS = "src/units.ts";

/** Errors that every layer of the service may throw and recognize. */
const ERRORS = "src/errors.ts";

/** Helpers that every layer of the service may use. */
const GET_OR_CREATE = "src/get-or-create.ts";
const LISTS = "src/lists.ts";
const LRU_CACHE = "src/lru-cache.ts";

/** The layers of the project. Only the command line imports `src/service.ts`, which assembles them. Tests are free. */
const RULES: readonly Rule[] = [
  { files: "scripts/code/", may: [] },
  { files: "scripts/json-schema/", may: ["scripts/json.ts", "scripts/maps.ts"] },
  {
    files: "scripts/load/",
    may: [
      "scripts/json-schema/",
      "scripts/diagnostic.ts",
      "scripts/expansion.ts",
      "scripts/file-system.ts",
      "scripts/follow-pointer.ts",
      "scripts/hash.ts",
      "scripts/json.ts",
      "scripts/maps.ts",
      "scripts/text.ts",
    ],
    types: [OPERATION_TYPES],
  },
  {
    files: "scripts/model/",
    may: [
      "scripts/json-schema/",
      "scripts/diagnostic.ts",
      "scripts/expansion.ts",
      "scripts/follow-pointer.ts",
      "scripts/json.ts",
      "scripts/maps.ts",
      "scripts/strongly-connected-components.ts",
      "scripts/text.ts",
      "scripts/walk-graph.ts",
    ],
    types: [OPERATION_TYPES],
  },
  {
    files: "scripts/emit/validators/compiler/",
    may: [
      "scripts/model/",
      "scripts/json-schema/",
      "scripts/code/",
      "scripts/json.ts",
      "scripts/maps.ts",
      "scripts/strongly-connected-components.ts",
      "scripts/text.ts",
      "scripts/walk-graph.ts",
    ],
    types: ["scripts/diagnostic.ts"],
  },
  { files: "scripts/", may: [], types: [OPERATION_TYPES] },
  { files: "generated/", may: ["src/http/", "src/fetch/"] },
  { files: "src/http/", may: [] },
  {
    files: "src/fetch/",
    may: [
      "src/http/header-json.ts",
      "src/http/json-lines.ts",
      "src/http/message-types.ts",
      "src/http/media-types.ts",
    ],
  },
  { files: "src/client/", may: ["generated/", "src/fetch/"] },

  { files: "src/domain/", may: [], types: ["generated/"] },
  {
    files: "src/storage/",
    may: [...STORAGE_HELPERS, "src/queues/"],
    types: ["src/domain/"],
  },
  { files: "src/access/", may: ["src/domain/", "src/storage/", "src/queues/"] },
  {
    files: "src/operations/",
    may: [
      "src/domain/",
      "src/storage/",
      "src/queues/",
      "src/http/responses/encoded-json.ts",
      "src/http/json.ts",
    ],
    types: ["generated/", "src/access/"],
  },
  { files: "src/adapters/", may: ["src/operations/"], types: ["generated/", "src/http/"] },
  { files: "src/metrics/", may: [], types: ["src/storage/"] },
  {
    files: "src/web/",
    may: ["src/domain/", "src/access/", "src/operations/", "src/package-file.ts"],
    // Web code passes the store to use cases; it does not read or write through it.
    types: ["src/storage/engine/store.ts"],
  },
  {
    files: "src/service/",
    may: [
      "generated/",
      "src/queues/",
      "src/http/",
      "src/domain/errors.ts",
      "src/storage/idempotency.ts",
      "src/storage/access/invitations.ts",
      "src/storage/access/request-counts.ts",
      "src/storage/access/sessions.ts",
      "src/storage/access/workspaces.ts",
      "src/operations/",
      "src/adapters/",
    ],
    types: ["src/storage/", "src/access/", "src/metrics/"],
  },
  {
    files: "src/service.ts",
    may: [
      "src/storage/engine/open-store.ts",
      "src/access/",
      "src/operations/execution/scope.ts",
      "src/metrics/",
      "src/web/",
      "src/service/",
    ],
    types: ["src/config.ts", "src/storage/engine/store.ts"],
  },
  { files: BUDGETS, may: ["src/budgets/"] },
  { files: "src/budgets/", may: [UNITS] },
  { files: UNITS, may: [] },
  { files: ERRORS, may: ["src/domain/duration.ts"] },
  { files: GET_OR_CREATE, may: [] },
  { files: LISTS, may: [] },
  { files: LRU_CACHE, may: [] },
  { files: "src/queues/", may: [] },
  { files: "src/package-file.ts", may: [] },
  { files: "src/config.ts", may: [] },
  { files: "src/cli.ts", may: ["src/cli/"] },
  {
    files: "src/cli/",
    may: [
      "src/service.ts",
      "src/domain/",
      "src/access/",
      "src/config.ts",
      "src/operations/jobs/run-job.ts",
      "src/package-file.ts",
      "src/storage/engine/location.ts",
      "src/storage/engine/open-store.ts",
      "src/storage/jobs.ts",
      "src/storage/transfer/",
    ],
    types: ["src/storage/engine/store.ts"],
  },
  { files: "src/copy-assets.js", may: [] },
];

/** An imported file of the project, or the name of a package. */
interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

/** Finds imports that no rule allows, files that no rule covers, and import cycles. */
export function findImportProblems(sources: Sources): string[] {
  const imports = new Map([...sources].map(([file, text]) => [file, readImports(file, text)]));
  const forbidden = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((each) => !isAllowed(file, each))
      .map(({ target, typeOnly }) => `${file} must not import ${target}${typeOnly ? " (type)" : ""}`),
  );
  const uncovered = [...sources.keys()].filter((file) => !findRule(file));
  return [
    ...forbidden,
    ...uncovered.map((file) => `${file}: no rule covers this file`),
    ...findCycles(imports).map((cycle) => `cycle: ${cycle.join(" -> ")}`),
  ];
}

/** Reads the imports of a file, in every form of TypeScript. */
function readImports(file: string, text: string): Import[] {
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = getSpecifier(node);
    if (specifier && ts.isStringLiteralLike(specifier)) {
      imports.push({ target: resolve(file, specifier.text), typeOnly: isTypeOnly(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return imports;
}

function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const target = path.posix.join(path.posix.dirname(file), specifier);
  // validators.js and copy-assets.js are JavaScript; every other .js specifier names a TypeScript file.
  return target === "generated/validators.js" || target === "src/copy-assets.js"
    ? target
    : target.replace(/\.js$/, ".ts");
}

/** Returns the module specifier of an import node; undefined for other nodes. */
function getSpecifier(node: ts.Node): ts.Node | undefined {
  // Also `export * as a from` and `export type { A } from`.
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  // `import a = require("a")`
  if (ts.isExternalModuleReference(node)) return node.expression;
  // `import("a").A` as a type
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  const isImport =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === "require");
  return isImport ? node.arguments[0] : undefined;
}

/** Whether an import disappears in compiled code. `import { type A }` still loads the module. */
function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function findRule(file: string): Rule | undefined {
  return RULES.find(({ files }) => covers(files, file));
}

/** Whether a file belongs to the service, not to the toolkit or the client. */
function isService(file: string): boolean {
  return file.startsWith("src/") && !/^src\/(?:http|fetch|client)\//.test(file);
}

function covers(pattern: string, file: string): boolean {
  return pattern.endsWith("/") ? file.startsWith(pattern) : file === pattern;
}

function isAllowed(file: string, { target, typeOnly }: Import): boolean {
  const isInProject = /^(\.\.\/|scripts\/|generated\/|src\/|test\/|spec\/)/.test(target);
  if (!isInProject) return true;
  const rule = findRule(file);
  if (rule === undefined) return false;
  const ownFolder = rule.files.endsWith("/") ? [rule.files] : [];
  const allowed = [
    ...ownFolder,
    ...(isService(file) ? [BUDGETS, UNITS, ERRORS, GET_OR_CREATE, LISTS, LRU_CACHE] : []),
    ...rule.may,
    ...(typeOnly ? (rule.types ?? []) : []),
  ];
  return allowed.some((pattern) => covers(pattern, target));
}

/** Finds import cycles, including type-only imports. Each is listed once, from its alphabetically first file. */
function findCycles(imports: ReadonlyMap<string, readonly Import[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start !== -1) {
      cycles.push([...trail.slice(start), file]);
      return;
    }
    if (done.has(file)) return;
    for (const { target } of imports.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of [...imports.keys()].sort()) visit(file, []);
  return cycles;
}
