import { takeSeed } from "../support/random.js";
import { formatOutcome } from "./fuzz.js";
import { fuzzProcess } from "./run.js";

// SEED and COUNT choose the requests and their number. DATABASE_URL is a PostgreSQL database to use instead of a file.
const seed = takeSeed(true);
const count = Number(process.env.COUNT ?? 100_000);
console.log(`Fuzz: ${count} requests; repeat with SEED=${seed} COUNT=${count} npm run fuzz`);
const started = performance.now();
const progress = (requests: number): void => console.log(`${requests} …`);
const outcome = await fuzzProcess(seed, count, progress, process.env.DATABASE_URL);
console.log(formatOutcome(outcome, seed));
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`);
process.exitCode = outcome.faults.length === 0 ? 0 : 1;
