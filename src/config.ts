import { readFileSync } from "node:fs";
import path from "node:path";

const REGISTRATIONS = ["open", "invite", "closed"] as const;

/** Configuration of the service, read from environment variables. */
export interface Config {
  port: number;
  host: string;
  /** Path of the SQLite file, or the address of the PostgreSQL database with its password. */
  database: string;
  /** Address of the API, without a slash at the end. Shown on the start page. */
  baseUrl: string;
  /** Address of the web application, which the URLs of pages start with. Without a slash at the end. */
  appUrl: string;
  /** URL of a Redis or Valkey server, where processes share rate limits; without one, each process has its own limits. */
  redisUrl: string | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted; trustProxies validates them. */
  trustedProxies: readonly string[];
  /** The people who can create an account, see Registration in access/sign-in.ts. */
  registration: (typeof REGISTRATIONS)[number];
  /** Bearer token for `/metrics`; without one only this machine has access. */
  metricsToken: string | undefined;
  /** Milliseconds between the first 503 of `/readyz` and the end of connections. */
  shutdownDelayMs: number;
  logLevel: string;
}

/** Invalid configuration. The message has one line per mistake. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Environment variables in the order of the help: name, default, description. */
const SETTINGS: readonly (readonly [name: string, fallback: string, description: string])[] = [
  ["PORT", "3000", "port to listen on"],
  ["HOST", "127.0.0.1", "address to listen on"],
  ["DATA_DIR", "./data", "folder of the SQLite database"],
  ["DATABASE_URL", "none", "postgres://... to use PostgreSQL instead of SQLite"],
  ["REDIS_URL", "none", "redis://... to share rate limits between processes"],
  ["BASE_URL", "http://localhost:PORT", "public address of the API"],
  ["APP_URL", "BASE_URL", "public address of the web application"],
  ["REGISTRATION", "invite", "who can create an account: open, invite or closed"],
  ["TRUSTED_PROXIES", "none", "proxies whose X-Forwarded-For is trusted, such as loopback,10.0.0.0/8"],
  ["METRICS_TOKEN", "none: this machine only", "bearer token for /metrics"],
  ["SHUTDOWN_DELAY", "0", "seconds that /readyz returns 503 before connections close"],
  ["LOG_LEVEL", "info", "fatal, error, warn, info, debug, trace or silent"],
];

/** Settings that can be read from a file: NAME_FILE is its path. */
const SECRETS = ["DATABASE_URL", "REDIS_URL", "METRICS_TOKEN"];
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];
const MAX_SHUTDOWN_DELAY_SECONDS = 300;

/** Describes the environment variables for `--help`. */
export function describeSettings(): string {
  const width = Math.max(...SETTINGS.map(([name]) => name.length)) + 2;
  const lines = SETTINGS.map(
    ([name, fallback, description]) => `  ${name.padEnd(width)}${description} (${fallback})`,
  );
  const files = `${SECRETS.slice(0, -1).join(", ")} and ${SECRETS.at(-1)} can be read from files: set NAME_FILE to a path.`;
  return ["Environment variables:", ...lines, "", files].join("\n");
}

/**
 * Reads and validates the configuration.
 *
 * @param env The variables of SETTINGS.
 * @throws ConfigError with a line for every mistake
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const readValue = (name: string, fallback: string): string =>
    (SECRETS.includes(name) ? readSecret(env, name, problems) : env[name]?.trim()) || fallback;

  const portText = readValue("PORT", "3000");
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : NaN;
  const isPort = port <= 65535;
  if (!isPort) problems.push(`PORT must be a number from 0 to 65535, not ${JSON.stringify(portText)}.`);
  const readAddress = (name: string, fallback: string): string => {
    const text = readValue(name, fallback);
    const protocol = URL.canParse(text) ? new URL(text).protocol : "";
    if (protocol !== "http:" && protocol !== "https:") {
      problems.push(
        `${name} must be an http or https address such as https://pages.example.org, not ${JSON.stringify(text)}.`,
      );
    }
    return text.replace(/\/+$/, "");
  };
  const readChoice = <T extends string>(name: string, choices: readonly T[], fallback: T): T => {
    const text = readValue(name, fallback);
    const choice = choices.find((each) => each === text);
    if (choice === undefined) {
      problems.push(`${name} must be one of ${choices.join(", ")}, not ${JSON.stringify(text)}.`);
    }
    return choice ?? fallback;
  };
  const baseUrl = readAddress("BASE_URL", `http://localhost:${isPort ? port : 3000}`);
  // APP_URL defaults to BASE_URL, whose mistakes are already reported.
  const appUrl = readValue("APP_URL", "") === "" ? baseUrl : readAddress("APP_URL", baseUrl);
  const registration = readChoice("REGISTRATION", REGISTRATIONS, "invite");
  const logLevel = readChoice("LOG_LEVEL", LOG_LEVELS, "info");
  const databaseUrl = readValue("DATABASE_URL", "");
  // Messages do not quote addresses, which can contain passwords.
  if (databaseUrl !== "" && !isPostgresAddress(databaseUrl)) {
    problems.push(
      "DATABASE_URL must be the address of a PostgreSQL database such as postgres://USER:PASSWORD@HOST:5432/DATABASE. " +
        "Unset it to use SQLite in DATA_DIR.",
    );
  }
  const redisUrl = readValue("REDIS_URL", "") || undefined;
  if (redisUrl !== undefined && !isRedisUrl(redisUrl)) {
    problems.push(
      "REDIS_URL must be an address such as redis://localhost:6379 or rediss://user:password@host:6380/0.",
    );
  }
  const delayText = readValue("SHUTDOWN_DELAY", "0");
  if (!/^\d{1,3}$/.test(delayText) || Number(delayText) > MAX_SHUTDOWN_DELAY_SECONDS) {
    problems.push(
      `SHUTDOWN_DELAY must be a number of seconds from 0 to ${MAX_SHUTDOWN_DELAY_SECONDS}, not ${JSON.stringify(delayText)}.`,
    );
  }
  const trustedProxies = readValue("TRUSTED_PROXIES", "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const metricsToken = readValue("METRICS_TOKEN", "") || undefined;
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return {
    port,
    host: readValue("HOST", "127.0.0.1"),
    database: databaseUrl || path.resolve(readValue("DATA_DIR", "data"), "page-service.db"),
    baseUrl,
    appUrl,
    redisUrl,
    trustedProxies,
    registration,
    metricsToken,
    shutdownDelayMs: Number(delayText) * 1000,
    logLevel,
  };
}

/** Reads a setting from its variable, or from the file that NAME_FILE names. */
function readSecret(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  problems: string[],
): string | undefined {
  const direct = env[name]?.trim();
  const file = env[`${name}_FILE`]?.trim();
  if (!file) return direct;
  if (direct) problems.push(`Set either ${name} or ${name}_FILE, not both.`);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The value may be read several times, but the mistake is reported once.
    const problem = `${name}_FILE cannot be read: ${reason}.`;
    if (!problems.includes(problem)) problems.push(problem);
    return undefined;
  }
}

function isPostgresAddress(text: string): boolean {
  // PostgreSQL accepts a user without a host, for a local socket. URL does not.
  return /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text.replace("@/", "@localhost/"));
}

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === "redis:" || protocol === "rediss:") && hostname !== "";
}
