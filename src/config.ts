import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import path from "node:path";
import { getSystemErrorReason, UserError } from "./errors.js";

/** Configuration of the service, read from environment variables. */
export interface Config {
  port: number;
  host: string;
  /** Path of the SQLite file, or the address of the PostgreSQL database with its password. */
  database: string;
  /** Address of the API, without a slash at the end. Docs, examples on web pages and `next_url` in responses start with it. */
  baseUrl: string;
  /** Address of the web application, which the URLs of pages start with. Without a path and a slash at the end. */
  appUrl: string;
  /** URL of a Redis or Valkey server, where processes share rate limits. If it is undefined, each process has its own. */
  redisUrl: string | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted; createProxyHeaderReader validates them. */
  trustedProxies: readonly string[];
  /** The people who can create an account, see Registration in access/accounts/sign-in.ts. */
  registration: "open" | "invite" | "closed";
  /** Bearer token for `/metrics`. If it is undefined, only this machine has access. */
  metricsToken: string | undefined;
  /** Milliseconds between the first 503 of `/readyz` and the end of connections. */
  shutdownDelayMs: number;
  logLevel: string;
}

/** The valid texts of a setting. */
interface Rule<Value> {
  /** Returns undefined for an invalid text. */
  parse(text: string): Value | undefined;
  /** Description of the valid texts, after "must be". */
  readonly expected: string;
  /** Whether the value is secret: NAME_FILE can name a file that contains it, and messages do not quote it. */
  readonly isSecret?: true;
}

const ANY_TEXT: Rule<string> = { parse: (text) => text, expected: "a text" };

const TEXT_LIST: Rule<string[]> = {
  parse: (text) => text.split(",").flatMap((entry) => entry.trim() || []),
  expected: "texts with commas between them",
};

const WEB_ADDRESS: Rule<string> = {
  parse: (text) =>
    // Web pages show the address, so it must not contain a password.
    /^https?:\/\/[^?#@]+$/i.test(text) && URL.canParse(text) ? text.replace(/\/+$/, "") : undefined,
  expected: "an http or https address without a user or a query, such as https://pages.example.org",
};

const APP_ADDRESS: Rule<string> = {
  parse(text) {
    const address = WEB_ADDRESS.parse(text);
    // The links of web pages begin with a slash.
    return address !== undefined && new URL(address).pathname === "/" ? address : undefined;
  },
  expected: "an http or https address without a path, such as https://pages.example.org",
};

const TOKEN: Rule<string> = {
  parse: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
  expected: "ASCII characters without spaces",
  isSecret: true,
};

const PERCENT_ENCODING = "Percent-encode special characters of the password";

const POSTGRES_ADDRESS: Rule<string> = {
  parse: (text) => parsePostgresUrl(text) && text,
  expected:
    "the address of a PostgreSQL database such as postgres://USER:PASSWORD@HOST:5432/DATABASE. " +
    `${PERCENT_ENCODING}. Unset it to use SQLite in DATA_DIR`,
  isSecret: true,
};

const REDIS_ADDRESS: Rule<string> = {
  parse: (text) =>
    /^rediss?:\/\/[^/?]+(\/\d*)?(\?|$)/i.test(text) && isDecodableUrl(text) ? text : undefined,
  expected: `an address such as redis://localhost:6379 or rediss://user:password@host:6380/0. ${PERCENT_ENCODING}`,
  isSecret: true,
};

/** Environment variables in the order of the help: description, text of the default, and rule. readConfig applies the defaults. */
const SETTINGS = {
  PORT: ["port to listen on", "3000", numberUpTo(65_535)],
  HOST: ["address to listen on", "127.0.0.1", ANY_TEXT],
  DATA_DIR: ["folder of the SQLite database", "./data", ANY_TEXT],
  DATABASE_URL: ["postgres://... to use PostgreSQL instead of SQLite", "none", POSTGRES_ADDRESS],
  REDIS_URL: ["redis://... to share rate limits between processes", "none", REDIS_ADDRESS],
  BASE_URL: ["public address of the API", "http://HOST:PORT", WEB_ADDRESS],
  APP_URL: ["public address of the web application", "origin of BASE_URL", APP_ADDRESS],
  REGISTRATION: [
    "who can create an account: open, invite or closed",
    "invite",
    oneOf("open", "invite", "closed"),
  ],
  TRUSTED_PROXIES: ["proxies to trust, such as loopback,10.0.0.0/8", "none", TEXT_LIST],
  METRICS_TOKEN: ["bearer token for /metrics", "none: this machine only", TOKEN],
  SHUTDOWN_DELAY: [
    "seconds that /readyz returns 503 before connections close",
    "0",
    numberUpTo(300, "a whole number of seconds"),
  ],
  LOG_LEVEL: [
    "fatal, error, warn, info, debug, trace or silent",
    "info",
    oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
  ],
} satisfies Record<string, readonly [description: string, fallback: string, rule: Rule<unknown>]>;

/** Describes the environment variables for `--help`. */
export function describeSettings(): string {
  const settings = Object.entries(SETTINGS);
  const width = Math.max(...settings.map(([name]) => name.length)) + 2;
  const lines = settings.map(
    ([name, [description, fallback]]) => `  ${name.padEnd(width)}${description} (${fallback})`,
  );
  const secrets = settings.filter(([, [, , rule]]) => rule.isSecret).map(([name]) => name);
  const files = `${new Intl.ListFormat("en-GB").format(secrets)} can be read from files:\nset NAME_FILE to a path.`;
  return ["Environment variables:", ...lines, "", files].join("\n");
}

/** Whether the service reads an environment variable with this name. */
export function isSetting(name: string): boolean {
  return Object.hasOwn(SETTINGS, name);
}

/** Reads and validates the configuration. Throws a UserError with a line for every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const read = <Name extends keyof typeof SETTINGS>(name: Name) => {
    const rule: Rule<unknown> = SETTINGS[name][2];
    const text = readText(env, name, rule, problems);
    const value = text === undefined ? undefined : rule.parse(text);
    if (text !== undefined && value === undefined) {
      const actual = rule.isSecret ? "" : `, not ${JSON.stringify(text)}`;
      problems.push(`${name} must be ${rule.expected}${actual}.`);
    }
    // Safe cast: the rule belongs to the name.
    return value as ReturnType<(typeof SETTINGS)[Name][2]["parse"]>;
  };
  const port = read("PORT") ?? 3000;
  const host = read("HOST") ?? "127.0.0.1";
  const baseUrl = read("BASE_URL") ?? createDefaultBaseUrl(host, port);
  const config = {
    port,
    baseUrl,
    appUrl: read("APP_URL") ?? new URL(baseUrl).origin,
    registration: read("REGISTRATION") ?? "invite",
    logLevel: read("LOG_LEVEL") ?? "info",
    database: read("DATABASE_URL") ?? path.resolve(read("DATA_DIR") ?? "data", "page-service.db"),
    redisUrl: read("REDIS_URL"),
    shutdownDelayMs: (read("SHUTDOWN_DELAY") ?? 0) * 1000,
    trustedProxies: read("TRUSTED_PROXIES") ?? [],
    metricsToken: read("METRICS_TOKEN"),
    host,
  };
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  return config;
}

/** Creates the address of a service that listens on `host`: localhost for the names and addresses of this or any machine. */
function createDefaultBaseUrl(host: string, port: number): string {
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const isNamedLocalhost = isWildcard(host) || ["127.0.0.1", "::1"].includes(host) || !URL.canParse(url);
  return isNamedLocalhost ? `http://localhost:${port}` : url;
}

/** Whether a HOST stands for all addresses of the machine. */
export function isWildcard(host: string): boolean {
  return ["0.0.0.0", "::"].includes(host);
}

/** Reads a text from a variable or, for a secret, from the file that NAME_FILE names; undefined when it is empty. */
function readText(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  { isSecret }: Rule<unknown>,
  problems: string[],
): string | undefined {
  const text = env[name]?.trim() || undefined;
  const file = isSecret && env[`${name}_FILE`]?.trim();
  if (!file) return text;
  if (text !== undefined) problems.push(`Set either ${name} or ${name}_FILE, not both.`);
  try {
    const secret = readFileSync(file, "utf8").trim();
    // Without the address in the file, the service would use an empty SQLite database.
    if (secret === "") problems.push(`${name}_FILE names an empty file.`);
    return secret || undefined;
  } catch (error) {
    problems.push(`${name}_FILE names ${file}, which cannot be read: ${getSystemErrorReason(error)}.`);
    return undefined;
  }
}

function numberUpTo(max: number, subject = "a whole number"): Rule<number> {
  return {
    parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= max ? Number(text) : undefined),
    expected: `${subject} from 0 to ${max}`,
  };
}

function oneOf<const Choice extends string>(...choices: Choice[]): Rule<Choice> {
  return {
    parse: (text) => choices.find((choice) => choice === text),
    expected: `one of ${choices.join(", ")}`,
  };
}

/** Parses the address of a PostgreSQL database; undefined if the text is not one. */
export function parsePostgresUrl(text: string): URL | undefined {
  // PostgreSQL accepts a user without a host, for a local socket. URL does not.
  const url = text.replace("@/", "@localhost/");
  return /^postgres(ql)?:\/\//i.test(url) && isDecodableUrl(url) ? new URL(url) : undefined;
}

/** Whether a text is a URL in which each `%` begins an encoded character. Drivers decode the user, the password and the path. */
function isDecodableUrl(text: string): boolean {
  try {
    decodeURIComponent(text);
    return URL.canParse(text);
  } catch {
    return false;
  }
}
