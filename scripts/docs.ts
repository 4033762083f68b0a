import { spawn } from "node:child_process";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withPolicy } from "./docs-policy.js";
import { documentWithSamples } from "./samples/document.js";

/**
 * Builds the API docs with Redocly as one HTML file that needs no network: dist/docs.html.
 * With --if-changed only when the document or the look is newer than the file.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const output = path.join(root, "dist", "docs.html");
/** The document as Redocly gets it. */
const document = path.join(root, "dist", "docs.openapi.json");
const sources = ["generated/openapi.json", "spec/redocly.yaml", "spec/docs.hbs", "package.json"];

async function modified(file: string): Promise<number> {
  return stat(path.join(root, file)).then(
    (found) => found.mtimeMs,
    () => 0,
  );
}

/** Redocly's own words are shown only when it fails: it greets every run with notices. */
async function build(): Promise<number> {
  await mkdir(path.dirname(document), { recursive: true });
  await writeFile(document, JSON.stringify(await documentWithSamples(path.join(root, "spec/openapi.yaml"))));
  const command = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const args = [
    "build-docs",
    document,
    "--config",
    path.join(root, "spec/redocly.yaml"),
    "--inlineBundle",
    "--output",
    output,
  ];
  const child = spawn(process.execPath, [command, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  const code = await new Promise<number>((resolve) => child.once("close", (status) => resolve(status ?? 1)));
  await rm(document);
  if (code !== 0) {
    console.error(text);
    return code;
  }
  await writeFile(output, withPolicy(await readFile(output, "utf8")));
  console.log(`Wrote ${path.relative(process.cwd(), output)}`);
  return 0;
}

const newest = Math.max(...(await Promise.all(sources.map(modified))));
const current = process.argv.includes("--if-changed") && (await modified("dist/docs.html")) > newest;
process.exitCode = current ? 0 : await build();
