import { statSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { loadDocument } from "../../load/load.js";
import { buildApi } from "../../model/build.js";
import { runCommand } from "../run-command.js";
import { runRedocly } from "../redocly.js";
import { completePage } from "./content-security-policy.js";
import { type JsonObject, isObject } from "../../json.js";
import { getServerAddress } from "./samples/requests.js";
import { readDocumentWithSamples } from "./samples/samples.js";
import { unwrapDescriptions } from "./unwrap.js";

const HELP = `Usage: npm run docs [-- --if-changed]

Builds the API docs with Redocly as one HTML file that needs no network: dist/docs.html.

  --if-changed  build only when a source is newer than the file`;

const root = fileURLToPath(new URL("../../..", import.meta.url));
const spec = path.join(root, "spec/openapi.yaml");
const output = path.join(root, "dist", "docs.html");
/** Input of Redocly. */
const input = path.join(root, "dist", "docs.openapi.json");
const sources = [
  "generated/openapi.json",
  "spec/redocly.yaml",
  "spec/docs.hbs",
  "scripts/project/docs/page.js",
  ".github/CHANGELOG.md",
  "package.json",
];

/** Returns the time of the last change of a file in milliseconds; 0 if it does not exist. */
function getModifiedMs(file: string): number {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Runs Redocly. Its output is printed only when it fails, because it greets every run with notices. */
async function build(): Promise<number> {
  // Reports errors with their locations, which Redocly's bundle does not have.
  const { document, locate } = await loadDocument(spec);
  buildApi(document, locate);
  await mkdir(path.dirname(input), { recursive: true });
  const { document: definition, api } = await readDocumentWithSamples(spec);
  // Without variables. A running service replaces the address by its own.
  definition["servers"] = [{ url: getServerAddress(api), description: "Address of the service" }];
  addChangelog(definition, await readFile(path.join(root, ".github/CHANGELOG.md"), "utf8"));
  unwrapDescriptions(definition);
  await writeFile(input, JSON.stringify(definition));
  const config = path.join(root, "spec/redocly.yaml");
  const args = ["build-docs", input, "--config", config, "--inlineBundle", "--output", output];
  const { code, stdout, stderr } = runRedocly(args, root);
  await rm(input);
  if (code !== 0) {
    console.error(stdout + stderr);
    return code;
  }
  const script = await readFile(new URL("page.js", import.meta.url), "utf8");
  await writeFile(output, completePage(await readFile(output, "utf8"), script));
  console.log(`Wrote ${path.relative(process.cwd(), output)}`);
  return 0;
}

/** Adds the changelog as the last guide. It stays out of openapi.json, which describes the API alone. */
function addChangelog(definition: JsonObject, changelog: string): void {
  const { tags, "x-tagGroups": groups } = definition;
  const guides = Array.isArray(groups) ? groups[0] : undefined;
  if (!Array.isArray(tags) || !isObject(guides) || !Array.isArray(guides["tags"]))
    throw new Error("The document has no guides to add the changelog to.");
  tags.push({ name: "Changelog", description: changelog.replace(/^# .*\n/, "") });
  guides["tags"].push("Changelog");
}

const newest = Math.max(...sources.map(getModifiedMs));
const current = process.argv.includes("--if-changed") && getModifiedMs("dist/docs.html") > newest;
await runCommand(HELP, async () => (current ? 0 : build()));
