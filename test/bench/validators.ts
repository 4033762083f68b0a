/**
 * Compares compiled validators with Ajv's standalone code, in turns in one process: `npm run bench:validators`. The exit
 * code is 1 when ours are slower for bodies of the project's own document.
 *
 * The options of Ajv (own properties only, finite numbers) give the same results as our validators.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { emitValidators } from "../../scripts/emit/validators/request-validators.js";
import { loadDocument } from "../../scripts/load/load.js";
import { buildApi } from "../../scripts/model/build.js";
import type { Api } from "../../scripts/model/model.js";
import type { JsonObject } from "../../scripts/json.js";
import { PROJECT } from "../support/api-document.js";
import { compileValidator } from "../toolkit/validators/compiled.js";
import { median } from "./compare.js";
import { OWN, SHAPES, type Shape } from "./validator-shapes.js";

type Check = (value: unknown) => boolean;

const ROUNDS = 9;
const SLICE_MS = 40;

function createAjv(): Ajv2020 {
  return new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    strictNumbers: true,
    code: { source: true, esm: true },
  });
}

/** Measures the validations of a value per second. */
function measureRate(check: Check, value: unknown): number {
  let count = 0;
  const started = performance.now();
  let now = started;
  while (now - started < SLICE_MS) {
    for (let index = 0; index < 200; index += 1) check(value);
    count += 200;
    now = performance.now();
  }
  return (count * 1000) / (now - started);
}

/** Measures our validations per second, and their ratio to Ajv's, as medians over the rounds. */
function compareRates(ours: Check, theirs: Check, value: unknown): { ours: number; ratio: number } {
  if (ours(value) !== theirs(value))
    throw new Error(`Our result differs from Ajv's: ${JSON.stringify(value)}`);
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const first = measureRate(round % 2 === 0 ? ours : theirs, value);
    const second = measureRate(round % 2 === 0 ? theirs : ours, value);
    return round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first };
  });
  return {
    ours: median(rounds.map((round) => round.ours)),
    ratio: median(rounds.map((round) => round.ours / round.theirs)),
  };
}

function measure(
  { name, schema, document, pointer = "", valid, invalid }: Shape,
  api?: Api,
): [string, number, number] {
  const source = document && api ? api.document : schema;
  const ours = compileValidator(source, { dialect: document ? "openapi-3.1" : "json-schema", pointer });
  const theirs = compileWithAjv(source, pointer);
  const good = compareRates(ours, theirs, valid);
  const bad = compareRates(ours, theirs, invalid);
  const million = (value: number): string => `${(value / 1e6).toFixed(2)} M/s`.padStart(11);
  console.log(
    `${name.padEnd(34)} fits ${million(good.ours)}  ${good.ratio.toFixed(2).padStart(6)} x Ajv   does not ${million(bad.ours)}  ${bad.ratio.toFixed(2).padStart(6)} x Ajv`,
  );
  return [name, good.ratio, bad.ratio];
}

function compileWithAjv(source: JsonObject, pointer: string): Check {
  const compiler = createAjv();
  if (pointer === "") return compiler.compile(source);
  compiler.addSchema(source, "document");
  return compiler.compile({ $ref: `document#${pointer}` });
}

async function loadApi(file: string): Promise<Api> {
  const { document, locate } = await loadDocument(file);
  return buildApi(document, locate).api;
}

function measureCpu<T>(run: () => T): [milliseconds: number, result: T] {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, result];
}

/** Prints the time to compile every request body of a document, and the size of the code. */
function printCompileTimes(name: string, api: Api): void {
  const pointers = api.groups
    .flatMap(({ operations }) => operations)
    .flatMap(({ body }) => body?.mediaTypes ?? [])
    .flatMap(({ kind, schema }) => (kind === "json" && schema ? [schema.pointer] : []));
  const [ourTime, ours] = measureCpu(() => emitValidators(api).files[0]?.content.length ?? 0);
  // Renamed, so that Ajv ignores it: its `nullable` requires a type. Ajv has less to do without it.
  const document = JSON.parse(
    JSON.stringify(api.document).replaceAll('"nullable":', '"x-nullable":'),
  ) as JsonObject;
  const [theirTime, theirs] = measureCpu(() => {
    const compiler = createAjv();
    compiler.addSchema(document, "document");
    const names = Object.fromEntries(
      pointers.map((pointer, index) => {
        const key = `check${index}`;
        compiler.addSchema({ $ref: `document#${encodeURI(pointer)}` }, key);
        compiler.getSchema(key);
        return [key, key];
      }),
    );
    return standalone.default(compiler, names).length;
  });
  const kilobytes = (size: number): string => `${Math.round(size / 1024)} KB`;
  console.log(
    `${name}: ours ${Math.round(ourTime)} ms CPU, ${kilobytes(ours)} (parameters and bodies); Ajv ${Math.round(theirTime)} ms, ${kilobytes(theirs)} (bodies alone)`,
  );
}

const own = await loadApi(path.join(PROJECT, "spec/openapi.yaml"));
console.log("\nBodies of the project's own document");
const promised = OWN.map((shape) => measure(shape, own));
console.log("\nSchemas of many shapes");
const others = SHAPES.map((shape) => measure(shape));
const slower = others.filter(([, good]) => good < 1).map(([name]) => name);
console.log(`\nSlower than Ajv for valid values: ${slower.length === 0 ? "none" : slower.join(", ")}`);

console.log("\nCompiling");
printCompileTimes("own document", own);
const github = path.join(PROJECT, "../shared/specs/github.json");
if (existsSync(github)) printCompileTimes("GitHub", await loadApi(github));
else console.log("Skipped GitHub's document, because it does not exist.");
const missed = promised.filter(([, good, bad]) => good < 1 || bad < 1);
if (missed.length > 0) {
  console.log(`Slower than Ajv on the own document: ${missed.map(([name]) => name).join(", ")}`);
  process.exitCode = 1;
}
