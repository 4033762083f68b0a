import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { Row } from "../table.js";
import { HEY_API, OPENAPI_TYPESCRIPT, OURS, type Tool } from "./peers.js";
import { runCommand } from "./run-command.js";

interface Size {
  lines: number;
  bytes: number;
}

/** Our files that correspond to the output of another generator. */
const COUNTERPARTS: ReadonlyMap<string, readonly string[]> = new Map([
  [OPENAPI_TYPESCRIPT, ["types.ts"]],
  [HEY_API, ["types.ts", "operations.ts", "client.ts"]],
]);

/** Compares the lines and bytes of generated TypeScript with those of other generators, as ratios for one document. */
export async function compareSizes(
  name: string,
  document: string,
  tools: readonly Tool[],
  folder: string,
): Promise<Row[]> {
  const ours = await generateFiles(OURS, document, folder);
  const rows: Row[] = [];
  for (const tool of tools) {
    const counterparts = COUNTERPARTS.get(tool.name);
    if (!counterparts) continue;
    const mine = measureSize([...ours].filter(([file]) => counterparts.includes(path.basename(file))));
    const theirs = measureSize([...(await generateFiles(tool, document, folder))]);
    for (const unit of ["lines", "bytes"] as const) {
      const ratio = mine[unit] / theirs[unit];
      rows.push({
        what: `${name}: ${unit} of ${counterparts.join(", ")}`,
        figure: mine[unit].toLocaleString("en"),
        beside: `${theirs[unit].toLocaleString("en")} ${tool.name}`,
        ratio: `${ratio.toFixed(2)}x`,
        target: "at most 1x",
        met: ratio <= 1,
      });
    }
  }
  return rows;
}

/** Generates code with a tool and returns the TypeScript files by path. */
async function generateFiles(tool: Tool, document: string, folder: string): Promise<Map<string, string>> {
  const out = mkdtempSync(path.join(folder, "size-"));
  await runCommand(tool.args(document, out), folder);
  const names = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const texts = new Map(names.map((file) => [file, readFileSync(path.join(out, file), "utf8")]));
  rmSync(out, { recursive: true });
  return texts;
}

function measureSize(files: readonly (readonly [string, string])[]): Size {
  const text = files.map(([, content]) => content).join("");
  return { lines: text.split("\n").length - 1, bytes: Buffer.byteLength(text) };
}
