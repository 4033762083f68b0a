import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { createProjectFolder } from "../generate/generated.js";
import { PROJECT } from "../../support/api-document.js";
import { summary } from "./report.js";
import { DEFAULT_SEED, roundTrip } from "./roundtrip.js";

const SHARED = path.join(PROJECT, "../../shared/specs");
const OTHERS = ["superset.json", "opencode.yaml", "openai.yaml", "rebilly.yaml", "github.json"];

const HELP = `Sends samples through the generated client to the generated routes and compares both ends:
parameters, headers, and bodies of JSON, text, forms, multipart with files, bytes and event streams.

  npm run roundtrip                  the project's own document, and the large ones beside it
  npm run roundtrip -- FILE...       any other documents
  npm run roundtrip -- --all FILE    every failure, and all that was left out

  --seed TEXT   other samples than the usual ones (${DEFAULT_SEED})

Exit codes: 0 everything arrived as it was sent; 1 something did not.
`;

/** Generates code for a document in a new folder, tests the round trip, and prints the result. */
async function tryDocument(file: string, seed: string, all: boolean): Promise<boolean> {
  const folder = createProjectFolder();
  try {
    const command = [
      "--import",
      "tsx",
      path.join(PROJECT, "scripts/cli.ts"),
      "generate",
      "--spec",
      file,
      "--out",
      folder,
    ];
    await promisify(execFile)(process.execPath, command, { cwd: PROJECT, maxBuffer: 1e9 });
    const report = await roundTrip(folder, { seed });
    console.log(summary(path.basename(file), report, all));
    return report.failures.length === 0;
  } catch (error) {
    // The output of the generator contains the reason.
    const output =
      typeof error === "object" && error !== null && "stderr" in error ? String(error.stderr) : "";
    console.log(`${path.basename(file)}: generation failed\n${output === "" ? String(error) : output}`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    seed: { type: "string", default: DEFAULT_SEED },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) console.log(HELP);
else {
  const others = OTHERS.map((name) => path.join(SHARED, name));
  for (const file of positionals.length === 0 ? others : []) {
    if (!existsSync(file)) console.log(`${path.basename(file)}: skipped, because the file does not exist`);
  }
  const files =
    positionals.length > 0
      ? positionals.map((file) => path.resolve(file))
      : [path.join(PROJECT, "spec/openapi.yaml"), ...others.filter((file) => existsSync(file))];
  console.log(`Seed: ${values.seed}`);
  const started = performance.now();
  let good = true;
  for (const file of files) good = (await tryDocument(file, values.seed, values.all)) && good;
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} s in total`);
  process.exitCode = good ? 0 : 1;
}
