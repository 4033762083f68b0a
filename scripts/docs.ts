import { spawn } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withPolicy } from "./docs-policy.js";

/**
 * Builds the API docs with Redocly as one HTML file that needs no network: dist/docs.html.
 * With --if-changed only when the document or the look is newer than the file.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const output = path.join(root, "dist", "docs.html");
const sources = ["generated/openapi.json", "spec/redocly.yaml"].map((file) => path.join(root, file));

async function modified(file: string): Promise<number> {
  return stat(file).then(
    (found) => found.mtimeMs,
    () => 0,
  );
}

/** Redocly's own words are shown only when it fails: it greets every run with notices. */
async function build(): Promise<number> {
  const command = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const args = [
    "build-docs",
    "page-service@v1",
    "--config",
    "spec/redocly.yaml",
    "--inlineBundle",
    "--output",
    output,
  ];
  const child = spawn(process.execPath, [command, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  const code = await new Promise<number>((resolve) => child.once("close", (status) => resolve(status ?? 1)));
  if (code !== 0) {
    console.error(text);
    return code;
  }
  await writeFile(output, withPolicy(await readFile(output, "utf8")));
  console.log(`Wrote ${path.relative(process.cwd(), output)}`);
  return 0;
}

const newest = Math.max(...(await Promise.all(sources.map(modified))));
const current = process.argv.includes("--if-changed") && (await modified(output)) > newest;
process.exitCode = current ? 0 : await build();
