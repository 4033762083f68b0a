import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../child.js";

/** A generator: its name, and the arguments of `node` that generate code for a document in an empty folder. */
export interface Tool {
  name: string;
  args(document: string, out: string): string[];
}

/** The built command of the package. */
export const OURS: Tool = {
  name: "openapi-compiler",
  args: (document, out) => [
    path.join(ROOT, "dist/openapi-compiler/cli.js"),
    "generate",
    "--spec",
    document,
    "--out",
    path.join(out, "generated"),
  ],
};

export const OPENAPI_TYPESCRIPT = "openapi-typescript (types)";
export const REDOCLY = "redocly generate-client (types, client)";
export const HEY_API = "@hey-api/openapi-ts (types, sdk)";

/** Generators among the project's dependencies. */
const INSTALLED: Tool[] = [
  {
    name: OPENAPI_TYPESCRIPT,
    args: (document, out) => [
      path.join(ROOT, "node_modules/openapi-typescript/bin/cli.js"),
      document,
      "--output",
      path.join(out, "types.ts"),
    ],
  },
  {
    name: REDOCLY,
    args: (document, out) => [
      path.join(ROOT, "node_modules/@redocly/cli/bin/cli.js"),
      "generate-client",
      document,
      "--output",
      path.join(out, "client.ts"),
    ],
  },
];

/** Packages that only this bench needs and installs. */
const FOREIGN = ["@hey-api/openapi-ts@0.99.0", "swagger-typescript-api@13.13.0", "typescript@5.9.3"];

/** Returns the other generators. Installs those that are not dependencies below `folder`, without install scripts. */
export function findPeers(folder: string): Tool[] {
  const home = path.join(folder, "peers");
  mkdirSync(home);
  writeFileSync(path.join(home, "package.json"), '{ "private": true }\n');
  try {
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["install", ...flags, ...FOREIGN], {
      cwd: home,
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch {
    console.log(`Skipped, because they cannot be installed: ${FOREIGN.slice(0, 2).join(", ")}.`);
    return INSTALLED;
  }
  return [
    ...INSTALLED,
    {
      name: HEY_API,
      args: (document, out) => [
        path.join(home, "node_modules/@hey-api/openapi-ts/bin/run.js"),
        "--input",
        document,
        "--output",
        path.join(out, "client"),
      ],
    },
    {
      name: "swagger-typescript-api (types, client)",
      args: (document, out) => [
        path.join(home, "node_modules/swagger-typescript-api/dist/cli.mjs"),
        "generate",
        "--path",
        document,
        "--output",
        out,
        "--name",
        "api.ts",
      ],
    },
  ];
}
