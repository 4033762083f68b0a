import path from "node:path";

/** What the service is configured with, from environment variables. */
export interface Config {
  port: number;
  host: string;
  /** Path of the SQLite file, or the address of the PostgreSQL database, with its password. */
  database: string;
  /** Address that clients use, without a slash at the end. */
  baseUrl: string;
  /** Address of the web application, without a slash at the end. */
  appUrl: string;
  /** Where processes share their rate limits; each counts by itself when it is undefined. */
  redisUrl: string | undefined;
  /** Proxies whose `X-Forwarded-For` is believed; createClientAddress checks them. */
  trustedProxies: string[];
  logLevel: string;
}

/** Mistakes in the configuration; `message` has one line for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/**
 * Reads and checks the configuration.
 *
 * @param env PORT (3000), HOST (127.0.0.1), DATABASE_URL (none: SQLite), DATA_DIR (./data), REDIS_URL (none),
 *   BASE_URL (http://localhost:PORT), APP_URL (BASE_URL), TRUSTED_PROXIES (none), LOG_LEVEL (info)
 * @throws ConfigError with a line for every mistake
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const value = (name: string, fallback: string): string => env[name]?.trim() || fallback;

  const portText = value("PORT", "3000");
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : NaN;
  const validPort = port <= 65535;
  if (!validPort) problems.push(`PORT must be a number from 0 to 65535, not ${JSON.stringify(portText)}.`);
  const address = (name: string, fallback: string): string => {
    const text = value(name, fallback);
    const protocol = URL.canParse(text) ? new URL(text).protocol : "";
    if (protocol !== "http:" && protocol !== "https:") {
      problems.push(
        `${name} must be an http or https address such as https://pages.example.org, not ${JSON.stringify(text)}.`,
      );
    }
    return text.replace(/\/+$/, "");
  };
  // A mistake in one is not told a second time where another takes its default from it.
  const baseUrl = address("BASE_URL", `http://localhost:${validPort ? port : 3000}`);
  const appUrl = value("APP_URL", "") === "" ? baseUrl : address("APP_URL", baseUrl);
  const logLevel = value("LOG_LEVEL", "info");
  if (!LOG_LEVELS.includes(logLevel)) {
    problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}, not ${JSON.stringify(logLevel)}.`);
  }
  const databaseUrl = value("DATABASE_URL", "");
  if (databaseUrl !== "" && !isPostgresAddress(databaseUrl)) {
    // It may hold a password, whatever else is wrong with it.
    problems.push(
      "DATABASE_URL must be the address of a PostgreSQL database such as postgres://USER:PASSWORD@HOST:5432/DATABASE; " +
        "unset it to keep the data in SQLite, in DATA_DIR.",
    );
  }
  const redisUrl = value("REDIS_URL", "") || undefined;
  if (redisUrl !== undefined && !isRedisUrl(redisUrl)) {
    // It may hold a password.
    problems.push(
      "REDIS_URL must be an address such as redis://localhost:6379 or rediss://user:password@host:6380/0.",
    );
  }
  const trustedProxies = value("TRUSTED_PROXIES", "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return {
    port,
    host: value("HOST", "127.0.0.1"),
    database: databaseUrl || path.resolve(value("DATA_DIR", "data"), "page-service.db"),
    baseUrl,
    appUrl,
    redisUrl,
    trustedProxies,
    logLevel,
  };
}

function isPostgresAddress(text: string): boolean {
  // A user at a socket of this machine: what is no address for others is one for PostgreSQL.
  return /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text.replace("@/", "@localhost/"));
}

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === "redis:" || protocol === "rediss:") && hostname !== "";
}
