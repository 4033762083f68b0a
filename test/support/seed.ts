import { Dice } from "../validators/random.js";

/** Random numbers for a test: those of SEED, or new ones; prints the seed, so that a failure can be had again. */
export function seededDice(): Dice {
  const seed = process.env.SEED === undefined ? Date.now() % 1_000_000 : Number(process.env.SEED);
  console.log(`SEED=${seed}`);
  return new Dice(seed);
}
