import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { hashGeneratorAndOptions, generateFiles } from "../../scripts/generation.js";
import { PROJECT } from "../support/api-document.js";

const GENERATED = path.join(PROJECT, "generated");
const OPTIONS = { spec: path.join(PROJECT, "spec/openapi.yaml"), out: GENERATED };
/** Prints the generated files as JSON. It uses the built generator, which loads in less time. */
const PROGRAM = `
  import { hashGeneratorAndOptions, generateFiles } from "${pathToFileURL(PROJECT)}/dist/scripts/generation.js";
  const options = ${JSON.stringify(OPTIONS)};
  const { files } = await generateFiles(options, await hashGeneratorAndOptions(options));
  process.stdout.write(JSON.stringify(files));
`;

/** Texts of generated files by path in the output folder. */
type Files = Record<string, string>;

function indexByPath(files: readonly { path: string; content: string }[]): Files {
  return Object.fromEntries(files.map(({ path: file, content }) => [file, content]));
}

function readCommitted(): Files {
  const names = readdirSync(GENERATED, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(GENERATED, path.join(entry.parentPath, entry.name)));
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(GENERATED, name), "utf8")]));
}

async function generate(): Promise<Files> {
  const { files } = await generateFiles(OPTIONS, await hashGeneratorAndOptions(OPTIONS));
  return indexByPath(files);
}

function generateInProcess(cwd: string, env: Record<string, string>): Files {
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  return indexByPath(JSON.parse(output));
}

/** Compares the names and then each text, so that a failure shows the differing file. */
function expectSame(actual: Files, wanted: Files): void {
  expect(Object.keys(actual).sort()).toEqual(Object.keys(wanted).sort());
  for (const [name, text] of Object.entries(wanted)) {
    expect(actual[name], `generated/${name} is out of date: npm run generate`).toBe(text);
  }
}

test("generated/ is up to date, and generating again gives the same bytes", async () => {
  const files = await generate();
  expect(Object.keys(files).length).toBeGreaterThan(1);
  expectSame(readCommitted(), files);
  expectSame(await generate(), files);
});

test.each([
  [tmpdir(), { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", TZ: "Asia/Kathmandu" }],
  ["/", { LANG: "C", LC_ALL: "C", TZ: "America/St_Johns" }],
])("generates the same bytes in %s with %o", (cwd, env) => {
  expectSame(generateInProcess(cwd, env), readCommitted());
});
