// The client by itself as a package without anything else: dist/client-package, ready for `npm pack`. Who installs
// page-service gets the service and the toolkit too, and with them 100 packages that a program in a browser never runs.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TARGET = path.join(ROOT, "dist/client-package");
const { version, license, engines, dependencies, publishConfig, exports } = JSON.parse(
  readFileSync(path.join(ROOT, "package.json"), "utf8"),
);

const manifest = {
  name: "page-service-client",
  version,
  description: "The client of the Page Service, typed by its OpenAPI document",
  license,
  type: "module",
  engines,
  exports: {
    ".": exports["./client"],
    "./types": exports["./types"],
    "./openapi.json": exports["./openapi.json"],
    "./package.json": "./package.json",
  },
  sideEffects: false,
  dependencies,
  publishConfig,
};

const README = `# page-service-client

The client of the Page Service without the service: what \`page-service/client\` is in the package \`page-service\` of
the same version.

\`\`\`ts
import { createClient } from "page-service-client";
\`\`\`
`;

/** All files that these import, themselves included. */
function reached(files) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    if (!/\.(js|d\.ts)$/.test(file)) return;
    const text = readFileSync(path.join(ROOT, file), "utf8");
    for (const [, name] of text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
      const target = path.posix.join(path.posix.dirname(file), name);
      visit(file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target);
    }
  };
  for (const file of files) visit(path.posix.normalize(file));
  return found;
}

const entries = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === "string" ? [entry] : Object.values(entry),
);
rmSync(TARGET, { recursive: true, force: true });
for (const file of [...reached(entries), "LICENSE"]) cpSync(path.join(ROOT, file), path.join(TARGET, file));
writeFileSync(path.join(TARGET, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(path.join(TARGET, "README.md"), README);
