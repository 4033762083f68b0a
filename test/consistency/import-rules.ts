import path from "node:path";
import ts from "typescript";

/** Source files by path relative to the project, with `/`; the values are their texts. */
export type Sources = ReadonlyMap<string, string>;

interface Rule {
  /** Files that the rule is about: a folder ends in `/`. The first rule that fits a file is the one that counts. */
  readonly files: string;
  /** What they may import of the project, besides what is in the same folder or below it. */
  readonly may: readonly string[];
}

/**
 * Who may import whom. `src/service.ts` puts everything together, so nothing of `src` but the command line
 * imports it; tests are not restricted.
 */
const RULES: readonly Rule[] = [
  { files: "scripts/code/", may: [] },
  { files: "scripts/model/", may: ["scripts/diagnostic.ts"] },
  { files: "scripts/validators/", may: ["scripts/model/model.ts", "scripts/model/node.ts", "scripts/code/"] },
  { files: "scripts/", may: [] },
  { files: "generated/", may: [] },
  { files: "src/http/", may: [] },
  { files: "src/domain/", may: [] },
  { files: "src/storage/", may: ["src/domain/"] },
  { files: "src/access/", may: ["src/domain/", "src/storage/"] },
  { files: "src/metrics/", may: ["src/storage/"] },
  { files: "src/web/", may: ["src/domain/", "src/storage/", "src/access/"] },
  { files: "src/client/", may: ["generated/"] },
  {
    files: "src/adapters/",
    may: ["generated/", "src/http/", "src/domain/", "src/storage/", "src/access/"],
  },
  {
    files: "src/service.ts",
    may: [
      "generated/",
      "src/http/",
      "src/domain/",
      "src/storage/",
      "src/access/",
      "src/adapters/",
      "src/metrics/",
      "src/web/",
      "src/config.ts",
    ],
  },
  { files: "src/config.ts", may: [] },
  { files: "src/cli.ts", may: ["src/cli/"] },
  {
    files: "src/cli/",
    may: ["src/service.ts", "src/domain/", "src/storage/", "src/access/", "src/config.ts"],
  },
  { files: "src/copy-assets.js", may: [] },
  { files: "src/client-package.js", may: [] },
];

/** Every import that a rule forbids or that no rule speaks of, and every circle; empty when all is well. */
export function importProblems(sources: Sources): string[] {
  const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]));
  const problems = [...imports].flatMap(([file, targets]) =>
    targets.flatMap((target) => refuse(file, target)),
  );
  const unruled = [...sources.keys()].filter((file) => !ruleFor(file));
  return [
    ...problems,
    ...unruled.map((file) => `${file}: no rule says what it may import`),
    ...circles(imports).map((circle) => `circle: ${circle.join(" -> ")}`),
  ];
}

/** What a file imports: project paths, or the names of packages, in every form that TypeScript has for it. */
function importsOf(file: string, text: string): string[] {
  return specifiersIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest)).map((fileName) => {
    if (!fileName.startsWith(".")) return fileName;
    const target = path.posix.join(path.posix.dirname(file), fileName);
    // validators.js is JavaScript; all else is TypeScript behind its .js name.
    return target === "generated/validators.js" || target === "src/copy-assets.js"
      ? target
      : target.replace(/\.js$/, ".ts");
  });
}

function specifiersIn(tree: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The module that a node imports, if it is any of the forms of an import. */
function specifierOf(node: ts.Node): ts.Node | undefined {
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

function ruleFor(file: string): Rule | undefined {
  return RULES.find(({ files }) => covers(files, file));
}

function covers(pattern: string, file: string): boolean {
  return pattern.endsWith("/") ? file.startsWith(pattern) : file === pattern;
}

function refuse(file: string, target: string): string[] {
  const inProject = /^(\.\.\/|scripts\/|generated\/|src\/|test\/|spec\/)/.test(target);
  if (!inProject) return [];
  const rule = ruleFor(file);
  const own = rule?.files.endsWith("/") === true && target.startsWith(rule.files);
  const allowed = own || (rule?.may ?? []).some((pattern) => covers(pattern, target));
  return allowed ? [] : [`${file} must not import ${target}`];
}

/** The circles of imports, each once, from the file that comes first in the alphabet. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start !== -1) {
      found.push([...trail.slice(start), file]);
      return;
    }
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of [...imports.keys()].sort()) visit(file, []);
  return found;
}
