import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { BusyError, ProvisionError } from "./checks.js";

/*
 * Passwords of people are hashed with scrypt, whose cost makes guessing slow: N = 2^15, r = 8, p = 3 take 32 MB and a
 * tenth of a second. The parameters stand in the hash, so that they can be raised later.
 */

const COST_EXPONENT = 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 3;
const LENGTH = 32;
const SHORTEST = 10;
/** Bounds the work of hashing. */
const LONGEST = 200;

/** Hashes at a time: they are made in the threads that files are read and names of hosts looked up in, too. */
const AT_ONCE = 2;
/** Hashes that wait for their turn, of which the last one waits a few seconds. */
const MOST_WAITING = 30;

let running = 0;
const waiting: (() => void)[] = [];

/** A hash of no password, for comparing where there is no account: that takes as long as where there is one. */
const NOBODY = `scrypt$${COST_EXPONENT}$${BLOCK_SIZE}$${PARALLELIZATION}$AAAAAAAAAAAAAAAAAAAAAA$${"A".repeat(43)}`;

/**
 * Checks a new password: long enough, and not all alike.
 *
 * @throws ProvisionError when it is not acceptable.
 */
export function checkPassword(password: string): void {
  if (password.length < SHORTEST) {
    throw new ProvisionError(`The password needs at least ${SHORTEST} characters.`);
  }
  if (password.length > LONGEST) {
    throw new ProvisionError(`The password can have at most ${LONGEST} characters.`);
  }
  if (new Set(password).size < 4) {
    throw new ProvisionError("The password repeats a few characters. Choose one that is harder to guess.");
  }
}

/** Hashes a password with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST_EXPONENT, BLOCK_SIZE, PARALLELIZATION);
  return ["scrypt", COST_EXPONENT, BLOCK_SIZE, PARALLELIZATION, encode(salt), encode(key)].join("$");
}

/**
 * Whether a password is the one of a hash.
 *
 * @param hash Undefined when there is no account; that takes as long as a wrong password.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, cost, blockSize, parallelization, salt = "", key = ""] = (hash ?? NOBODY).split("$");
  const expected = Buffer.from(key, "base64url");
  const actual = await derive(
    password.slice(0, LONGEST),
    Buffer.from(salt, "base64url"),
    Number(cost),
    Number(blockSize),
    Number(parallelization),
  );
  return timingSafeEqual(actual, expected) && hash !== undefined;
}

/**
 * Makes a hash when its turn comes: who tries passwords from many addresses must not keep everybody else from the processor.
 *
 * @throws BusyError when too many wait already.
 */
async function derive(...parameters: Parameters<typeof deriveNow>): Promise<Buffer> {
  if (running < AT_ONCE) running += 1;
  else if (waiting.length >= MOST_WAITING) throw new BusyError("Too many passwords are checked at once.");
  // Whoever is done hands on the turn.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await deriveNow(...parameters);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The same characters typed on another keyboard can be other code points. */
function deriveNow(password: string, salt: Buffer, exponent: number, r: number, p: number): Promise<Buffer> {
  const N = 2 ** exponent;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, LENGTH, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function encode(bytes: Buffer): string {
  return bytes.toString("base64url");
}
