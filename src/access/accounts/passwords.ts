import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { HASH_QUEUE, KNOWN_CLIENT_HASH_QUEUE } from "../../budgets.js";
import { FairQueue } from "../../queues/fair-queue.js";
import { normalizeEmail } from "../checks.js";

/*
 * Passwords are hashed with scrypt, whose cost makes guessing slow: N = 2^15, r = 8 and p = 3 take 32 MB and a tenth of a
 * second. A hash is stored as `scrypt$15$8$3$SALT$KEY`, with its parameters, so that they can be raised later. Salt and
 * key are in base64url.
 */

const COST_EXPONENT = 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 3;
const KEY_BYTES = 32;
export const MIN_PASSWORD_LENGTH = 10;
const MIN_DISTINCT_CHARACTERS = 4;
/** Bounds the cost of hashing. */
export const MAX_PASSWORD_LENGTH = 200;

export interface HashClient {
  /** Clients with different keys take turns. */
  readonly key: string;
  /** Whether it is a signed-in person, a browser that has signed in before, or the holder of a reset link. */
  readonly isKnown: boolean;
}

// Module state, because all services of a process share the threads that hash passwords.
const hashQueue = new FairQueue(HASH_QUEUE);
const knownClientQueue = new FairQueue(KNOWN_CLIENT_HASH_QUEUE);

/** Hash that matches no password. Verified if there is no account, so that timing does not reveal which accounts exist. */
const DUMMY_HASH = `scrypt$${COST_EXPONENT}$${BLOCK_SIZE}$${PARALLELIZATION}$AAAAAAAAAAAAAAAAAAAAAA$${"A".repeat(43)}`;

/**
 * Describes why a new password of an account is invalid: it is too short, too long or easy to guess. Returns undefined for a valid
 * one. `email` is normalized.
 */
export function describeInvalidPassword(password: string, email: string): string | undefined {
  if (password.length < MIN_PASSWORD_LENGTH) return `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (password.length > MAX_PASSWORD_LENGTH) return `Use at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (new Set(password).size < MIN_DISTINCT_CHARACTERS)
    return `Use at least ${MIN_DISTINCT_CHARACTERS} different characters.`;
  if (isCommonPassword(password))
    return "This is one of the most common passwords. Choose one that is harder to guess.";
  if (normalizeEmail(password) === email) return "Do not use your e-mail address as the password.";
  return undefined;
}

/** Hashes a password with a random salt. Clients take turns, see deriveKeyInTurn. */
export async function hashPassword(password: string, client: HashClient): Promise<string> {
  const salt = randomBytes(16);
  const parameters = [COST_EXPONENT, BLOCK_SIZE, PARALLELIZATION] as const;
  const key = await deriveKeyInTurn(client, password, salt, ...parameters);
  return ["scrypt", ...parameters, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Whether a password matches a hash. `hash` is undefined for an unknown account, which takes as long as a wrong password. */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  client: HashClient,
): Promise<boolean> {
  const [, cost, blockSize, parallelization, salt = "", key = ""] = (hash ?? DUMMY_HASH).split("$");
  const expected = Buffer.from(key, "base64url");
  const actual = await deriveKeyInTurn(
    client,
    password.slice(0, MAX_PASSWORD_LENGTH),
    Buffer.from(salt, "base64url"),
    Number(cost),
    Number(blockSize),
    Number(parallelization),
  );
  return timingSafeEqual(actual, expected) && hash !== undefined;
}

/** Derives a key when it is the client's turn, so that few run at a time. Throws BusyError as FairQueue does. */
async function deriveKeyInTurn(
  { key, isKnown }: HashClient,
  ...parameters: Parameters<typeof deriveKey>
): Promise<Buffer> {
  return (isKnown ? knownClientQueue : hashQueue).run(key, () => deriveKey(...parameters));
}

const runScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * Derives the key of a password with scrypt, where N is 2 to the power of `exponent`. Normalizes the password (NFKC),
 * because keyboards can produce different code points for the same characters.
 */
function deriveKey(password: string, salt: Buffer, exponent: number, r: number, p: number): Promise<Buffer> {
  const N = 2 ** exponent;
  // scrypt needs slightly more than 128 * N * r bytes, and Node's default for maxmem is 32 MB.
  return runScrypt(password.normalize("NFKC"), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r });
}

/**
 * The passwords of at least 10 characters among the 49,233 most common ones, in lower case, from the frequency list of
 * @zxcvbn-ts/language-common 4.1.3 (MIT License), which is derived from published leaks.
 */
const COMMON_PASSWORDS_FILE = new URL("common-passwords.txt", import.meta.url);

let commonPasswords: ReadonlySet<string> | undefined;

function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(readFileSync(COMMON_PASSWORDS_FILE, "utf8").split("\n"));
  return commonPasswords.has(password.normalize("NFKC").toLowerCase());
}
