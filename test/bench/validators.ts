/**
 * Compares compiled validators with Ajv's for bodies of the project's own document, in turns in one process:
 * `npm run bench:validators`. The exit code is 1 when ours are slower for valid ones.
 */
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { loadDocument } from "../../scripts/load/load.js";
import { buildApi } from "../../scripts/model/build.js";
import type { JsonObject } from "../../scripts/json.js";
import { PROJECT } from "../support/api-document.js";
import { compileValidator } from "../toolkit/validators/compiled.js";
import { median } from "./compare.js";

type Check = (value: unknown) => boolean;

/** A body of a request, with a valid and an invalid value. */
interface Body {
  name: string;
  pointer: string;
  valid: unknown;
  invalid: unknown;
}

const ID = "0191d5a2-7b1c-7c33-9a55-3f0c8a4e1b02";
const PROPERTIES = {
  Title: { title: [{ type: "text", text: { content: "A page" } }] },
  Notes: { rich_text: [{ type: "text", text: { content: "Some notes" } }] },
  Amount: { number: 12.5 },
  Done: { checkbox: true },
};
const BODIES: Body[] = [
  {
    name: "createPage",
    pointer: "/components/schemas/CreatePageBody",
    valid: { parent: { database_id: ID }, icon: { emoji: "🥑" }, properties: PROPERTIES },
    invalid: { parent: { database_id: ID }, properties: { ...PROPERTIES, Amount: { number: "12" } } },
  },
  {
    name: "updatePage",
    pointer: "/components/schemas/UpdatePageBody",
    valid: { properties: PROPERTIES },
    invalid: { properties: PROPERTIES, colour: "red" },
  },
];

const ROUNDS = 9;
const SLICE_MS = 40;

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

/** Measures both validators with both values, and returns the ratio of their speed for the valid one. */
function measure({ name, pointer, valid, invalid }: Body, document: JsonObject): number {
  const ours = compileValidator(document, { dialect: "openapi-3.1", pointer });
  const theirs = compileWithAjv(document, pointer);
  const good = compareRates(ours, theirs, valid);
  const bad = compareRates(ours, theirs, invalid);
  const million = (value: number): string => `${(value / 1e6).toFixed(2)} M/s`.padStart(11);
  console.log(
    `${name.padEnd(12)} valid ${million(good.ours)} ${good.ratio.toFixed(2)} x Ajv, invalid ${million(bad.ours)} ${bad.ratio.toFixed(2)} x Ajv`,
  );
  return good.ratio;
}

function compileWithAjv(document: JsonObject, pointer: string): Check {
  // The options give the same results as our validators: all errors, own properties only, and finite numbers.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    strictNumbers: true,
  });
  ajv.addSchema(document, "document");
  return ajv.compile({ $ref: `document#${pointer}` });
}

const { document, locate } = await loadDocument(path.join(PROJECT, "spec/openapi.yaml"));
const { api } = buildApi(document, locate);
const missed = BODIES.filter((body) => measure(body, api.document) < 1);
if (missed.length > 0) {
  console.log(`Slower than Ajv: ${missed.map(({ name }) => name).join(", ")}`);
  process.exitCode = 1;
}
