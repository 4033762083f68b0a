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
  /** URL of a Redis or Valkey server, where processes share rate limits. If it is undefined, each process has its own. */
  redisUrl: string | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted; trustProxies validates them. */
  trustedProxies: readonly string[];
  /** The people who can create an account, see Registration in access/sign-in.ts. */
  registration: (typeof REGISTRATIONS)[number];
  /** Bearer token for `/metrics`. If it is undefined, only this machine has access. */
  metricsToken: string | undefined;
  /** Milliseconds between the first 503 of `/readyz` and the end of connections. */
  shutdownDelayMs: number;
  logLevel: string;
}

/** Invalid configuration. The message has one line per mistake. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Environment variables in the order of the help. The defaults are texts for people: readConfig has their values. */
const SETTINGS: readonly (readonly [name: string, fallback: string, description: string])[] = [
  ["PORT", "3000", "port to listen on"],
  ["HOST", "127.0.0.1", "address to listen on"],
  ["DATA_DIR", "./data", "folder of the SQLite database"],
  ["DATABASE_URL", "none", "postgres://... to use PostgreSQL instead of SQLite"],
  ["REDIS_URL", "none", "redis://... to share rate limits between processes"],
  ["BASE_URL", "http://localhost:PORT", "public address of the API"],
  ["APP_URL", "BASE_URL", "public address of the web application"],
  ["REGISTRATION", "invite", "who can create an account: open, invite or closed"],
  ["TRUSTED_PROXIES", "none", "proxies to trust, such as loopback,10.0.0.0/8"],
  ["METRICS_TOKEN", "none: this machine only", "bearer token for /metrics"],
  ["SHUTDOWN_DELAY", "0", "seconds that /readyz returns 503 before connections close"],
  ["LOG_LEVEL", "info", "fatal, error, warn, info, debug, trace or silent"],
];

/** Settings that can be read from a file: NAME_FILE is its path. */
const SECRET_SETTINGS = ["DATABASE_URL", "REDIS_URL", "METRICS_TOKEN"];
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];
const MAX_SHUTDOWN_DELAY_SECONDS = 300;

/** Describes the environment variables for `--help`. */
export function describeSettings(): string {
  const width = Math.max(...SETTINGS.map(([name]) => name.length)) + 2;
  const lines = SETTINGS.map(
    ([name, fallback, description]) => `  ${name.padEnd(width)}${description} (${fallback})`,
  );
  const files = `${SECRET_SETTINGS.slice(0, -1).join(", ")} and ${SECRET_SETTINGS.at(-1)} can be read from files:\nset NAME_FILE to a path.`;
  return ["Environment variables:", ...lines, "", files].join("\n");
}

/** Whether the service reads an environment variable with this name. */
export function isSetting(name: string): boolean {
  return SETTINGS.some(([setting]) => setting === name);
}

/** Reads and validates the configuration. Throws ConfigError with a line for every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const settings = new SettingsReader(env);
  const port = settings.readNumber("PORT", 3000, 65_535, "a number");
  const baseUrl = settings.readAddress("BASE_URL", `http://localhost:${port}`);
  const appUrl = settings.readAddress("APP_URL", baseUrl);
  const registration = settings.readChoice("REGISTRATION", REGISTRATIONS, "invite");
  const logLevel = settings.readChoice("LOG_LEVEL", LOG_LEVELS, "info");
  const databaseUrl = settings.readText("DATABASE_URL");
  // Messages do not quote addresses, which can contain passwords.
  if (databaseUrl !== undefined && !isPostgresAddress(databaseUrl)) {
    settings.problems.push(
      "DATABASE_URL must be the address of a PostgreSQL database such as postgres://USER:PASSWORD@HOST:5432/DATABASE. " +
        "Unset it to use SQLite in DATA_DIR.",
    );
  }
  const redisUrl = settings.readText("REDIS_URL");
  if (redisUrl !== undefined && !isRedisUrl(redisUrl)) {
    settings.problems.push(
      "REDIS_URL must be an address such as redis://localhost:6379 or rediss://user:password@host:6380/0.",
    );
  }
  const shutdownDelaySeconds = settings.readNumber(
    "SHUTDOWN_DELAY",
    0,
    MAX_SHUTDOWN_DELAY_SECONDS,
    "a number of seconds",
  );
  const trustedProxies = (settings.readText("TRUSTED_PROXIES") ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const metricsToken = settings.readText("METRICS_TOKEN");
  if (settings.problems.length > 0) throw new ConfigError(settings.problems.join("\n"));
  return {
    port,
    host: settings.readText("HOST") ?? "127.0.0.1",
    database: databaseUrl ?? path.resolve(settings.readText("DATA_DIR") ?? "data", "page-service.db"),
    baseUrl,
    appUrl,
    redisUrl,
    trustedProxies,
    registration,
    metricsToken,
    shutdownDelayMs: shutdownDelaySeconds * 1000,
    logLevel,
  };
}

/** Reads settings from environment variables, and collects the mistakes in them. An invalid setting gets its default. */
class SettingsReader {
  readonly problems: string[] = [];
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Reads a text from a variable or, for a secret, from the file that NAME_FILE names; undefined when it is empty. */
  readText(name: string): string | undefined {
    const text = this.#env[name]?.trim() || undefined;
    const file = SECRET_SETTINGS.includes(name) ? this.#env[`${name}_FILE`]?.trim() : undefined;
    if (!file) return text;
    if (text !== undefined) this.problems.push(`Set either ${name} or ${name}_FILE, not both.`);
    try {
      return readFileSync(file, "utf8").trim() || undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problems.push(`${name}_FILE cannot be read: ${reason}.`);
      return undefined;
    }
  }

  /** Reads a whole number from 0 to `max`. */
  readNumber(name: string, fallback: number, max: number, description: string): number {
    const text = this.readText(name);
    if (text === undefined) return fallback;
    if (/^\d{1,5}$/.test(text) && Number(text) <= max) return Number(text);
    this.problems.push(`${name} must be ${description} from 0 to ${max}, not ${JSON.stringify(text)}.`);
    return fallback;
  }

  /** Reads an http or https address without slashes at its end. */
  readAddress(name: string, fallback: string): string {
    const text = this.readText(name);
    if (text === undefined) return fallback;
    const protocol = URL.canParse(text) ? new URL(text).protocol : "";
    if (protocol !== "http:" && protocol !== "https:") {
      this.problems.push(
        `${name} must be an http or https address such as https://pages.example.org, not ${JSON.stringify(text)}.`,
      );
    }
    return text.replace(/\/+$/, "");
  }

  /** Reads one of several texts. */
  readChoice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const text = this.readText(name);
    const choice = text === undefined ? fallback : choices.find((each) => each === text);
    if (choice === undefined) {
      this.problems.push(`${name} must be one of ${choices.join(", ")}, not ${JSON.stringify(text)}.`);
    }
    return choice ?? fallback;
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
