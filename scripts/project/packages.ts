import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { getOrCreate } from "../maps.js";
import { walkGraph } from "../walk-graph.js";
import { hashSources, STAMP_FILE, TOOLS } from "../write/generator-hash.js";

// The last step of the build: assembles the packages that are published beside page-service, from compiled files.

/** Root of the checkout. This file runs compiled, as dist/scripts/project/packages.js. */
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The fields of package.json that packages share. */
interface ProjectManifest {
  version: string;
  license: string;
  engines: Record<string, string>;
  publishConfig: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  exports: Record<string, Entry>;
}

type Entry = string | { types: string; default: string };

interface Package {
  /** Target folder, relative to the checkout. */
  folder: string;
  /** Folder of the copied files, relative to the checkout: "" or "dist". Target paths omit it. */
  base: string;
  /** Modules and data files to copy, relative to `base`, with everything that they import. */
  entries: string[];
  manifest: object;
  readme: string;
}

// Safe cast: package.json is in this repository and has these fields.
const project = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as ProjectManifest;
const { version, license, engines, publishConfig } = project;

/** Fields of package.json that have the same values in all packages. */
const sharedFields = { version, license, type: "module", engines, publishConfig };

const clientExports = {
  ".": project.exports["./client"],
  "./types": project.exports["./types"],
  "./openapi.json": project.exports["./openapi.json"],
};

/** The client alone. */
const client: Package = {
  folder: "dist/client-package",
  base: "",
  entries: Object.values(clientExports).flatMap(listEntryFiles),
  manifest: {
    name: "page-service-client",
    description: "The typed client of the Page Service",
    ...sharedFields,
    exports: { ...clientExports, "./package.json": "./package.json" },
    sideEffects: false,
    dependencies: project.dependencies,
  },
  readme: `# page-service-client

The typed client of the Page Service, without the service. It has the same exports as \`page-service/client\` of the same
version.

\`\`\`ts
import { createClient } from "page-service-client";
\`\`\`
`,
};

const compilerExports = {
  ".": createEntry("scripts/index"),
  "./http": createEntry("src/http/index"),
  "./fetch": createEntry("src/fetch/index"),
};

/** The toolkit: command, programmatic interface and runtimes. */
const compiler: Package = {
  folder: "dist/openapi-compiler",
  base: "dist",
  entries: [
    "scripts/cli.js",
    `scripts/${STAMP_FILE}`,
    ...Object.values(compilerExports).flatMap(listEntryFiles),
  ],
  manifest: {
    name: "openapi-compiler",
    description:
      "Generates a typed Express server, a fetch client and compiled validators from an OpenAPI document",
    keywords: [
      "openapi",
      "openapi-first",
      "code-generator",
      "typescript",
      "express",
      "api-client",
      "validation",
    ],
    ...sharedFields,
    bin: { "openapi-compiler": "cli.js" },
    exports: { ...compilerExports, "./package.json": "./package.json" },
    sideEffects: ["./cli.js", "./scripts/**"],
    dependencies: {
      ...Object.fromEntries(TOOLS.map((name) => [name, project.devDependencies[name]])),
      // The client runtime uses it.
      "openapi-fetch": project.dependencies["openapi-fetch"],
    },
  },
  readme: readFileSync(path.join(ROOT, "scripts/README.md"), "utf8"),
};

function createEntry(module: string): Entry {
  return { types: `./${module}.d.ts`, default: `./${module}.js` };
}

function listEntryFiles(found: Entry | undefined): string[] {
  if (found === undefined) return [];
  return typeof found === "string" ? [found] : [found.types, found.default];
}

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
  const create = () => ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  return getOrCreate(parsed, file, create);
}

/** Lists the files of the same package that a module or declaration imports. Paths are relative to a folder. */
function listImports(folder: string, file: string): string[] {
  if (!/\.(?:js|d\.ts)$/.test(file)) return [];
  const source = parse(path.join(folder, file));
  const names: string[] = [];
  // Parsed, because emitters contain the imports that they print.
  const visit = (node: ts.Node): void => {
    const specifier = findSpecifier(node);
    if (specifier && ts.isStringLiteral(specifier) && specifier.text.startsWith("."))
      names.push(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names.map((name) => {
    const target = path.posix.join(path.posix.dirname(file), name);
    return file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target;
  });
}

function findSpecifier(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  const isImportCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImportCall ? node.arguments[0] : undefined;
}

const printer = ts.createPrinter({ removeComments: true });

/**
 * Copies the files of a package and writes its package.json and README. The code of the compiler loses its comments, a fifth of the
 * package. Declarations keep theirs for editors, and the runtimes for bundlers.
 */
function assemblePackage({ folder, base, entries, manifest, readme }: Package): void {
  const source = path.join(ROOT, base);
  const target = path.join(ROOT, folder);
  rmSync(target, { recursive: true, force: true });
  const files = walkGraph(entries.map(path.posix.normalize), (file) => listImports(source, file));
  for (const file of files) {
    cpSync(path.join(source, file), path.join(target, file));
    if (/^scripts\/.*\.js$/.test(file))
      writeFileSync(path.join(target, file), printer.printFile(parse(path.join(source, file))));
  }
  cpSync(path.join(ROOT, "LICENSE"), path.join(target, "LICENSE"));
  writeFileSync(path.join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(path.join(target, "README.md"), readme);
}

// Output names its generator by the hash of its sources, whether these run as they are or compiled.
writeFileSync(path.join(ROOT, "dist/scripts", STAMP_FILE), await hashSources(path.join(ROOT, "scripts")));
assemblePackage(client);
assemblePackage(compiler);
const command = path.join(ROOT, compiler.folder, "cli.js");
writeFileSync(command, '#!/usr/bin/env node\nimport "./scripts/cli.js";\n');
chmodSync(command, 0o755);
