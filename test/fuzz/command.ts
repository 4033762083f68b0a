import { takeSeed } from "../support/random.js";
import { report } from "./fuzz.js";
import { fuzzProcess } from "./run.js";

// SEED and COUNT say which requests and how many; DATABASE_URL a PostgreSQL database to be used in place of a file.
const seed = takeSeed(true);
const count = Number(process.env.COUNT ?? 100_000);
console.log(`Fuzz: ${count} requests; again with SEED=${seed} COUNT=${count} npm run fuzz`);
const started = performance.now();
const progress = (requests: number): void => console.log(`${requests} …`);
const outcome = await fuzzProcess(seed, count, progress, process.env.DATABASE_URL);
console.log(report(outcome, seed));
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`);
process.exitCode = outcome.faults.length === 0 ? 0 : 1;
