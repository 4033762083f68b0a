import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { compile } from "../../scripts/pipeline.js";
import { generatorKey } from "../../scripts/generation.js";
import { PROJECT } from "../support/api-document.js";

const GENERATED = path.join(PROJECT, "generated");

/** Text by path below the output folder. */
type Files = Record<string, string>;

function byPath(files: readonly { path: string; content: string }[]): Files {
  return Object.fromEntries(files.map(({ path: file, content }) => [file, content]));
}

function committed(): Files {
  const names = readdirSync(GENERATED, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(GENERATED, path.join(entry.parentPath, entry.name)));
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(GENERATED, name), "utf8")]));
}

async function generated(): Promise<Files> {
  const { files } = await compile(
    path.join(PROJECT, "spec/openapi.yaml"),
    GENERATED,
    (await generatorKey({ spec: "", out: GENERATED })) ?? "",
  );
  return byPath(files);
}

function generatedElsewhere(cwd: string, env: Record<string, string>): Files {
  const script = path.join(import.meta.dirname, "print-generation.ts");
  const output = execFileSync(process.execPath, ["--import", import.meta.resolve("tsx"), script], {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  return byPath(JSON.parse(output));
}

/** Compares names first, then each text: a difference is shown where it is. */
function expectSame(actual: Files, wanted: Files): void {
  expect(Object.keys(actual).sort()).toEqual(Object.keys(wanted).sort());
  for (const [name, text] of Object.entries(wanted)) {
    expect(actual[name], `generated/${name} is not what the spec gives: npm run generate`).toBe(text);
  }
}

test("generated/ holds exactly what the document gives, byte by byte; a second run gives the same", async () => {
  const files = await generated();
  expect(Object.keys(files).length).toBeGreaterThan(1);
  expectSame(committed(), files);
  expectSame(await generated(), files);
});

test.each([
  [tmpdir(), { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", TZ: "Asia/Kathmandu" }],
  ["/", { LANG: "C", LC_ALL: "C", TZ: "America/St_Johns" }],
])("run in %s with %o it gives the same bytes", (cwd, env) => {
  expectSame(generatedElsewhere(cwd, env), committed());
});
