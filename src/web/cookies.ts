import type { IncomingMessage } from "node:http";

/** Cookies of the application. Scripts and other sites cannot read them. */
export interface Cookies {
  /** Token of the session. */
  readSession(request: IncomingMessage): string | undefined;
  /** CSRF token of a visitor without a session. */
  readVisitor(request: IncomingMessage): string | undefined;
  /** Token of a browser that has signed in before. */
  readDevice(request: IncomingMessage): string | undefined;
  session(token: string): string;
  endSession(): string;
  visitor(token: string): string;
  device(token: string): string;
}

const HOUR_SECONDS = 3600;
const MONTH_SECONDS = 30 * 24 * HOUR_SECONDS;
const YEAR_SECONDS = 365 * 24 * HOUR_SECONDS;

/** @param appUrl Address of the web application; with https, cookies are sent over https only. */
export function createCookies(appUrl: string): Cookies {
  const secure = new URL(appUrl).protocol === "https:";
  // With this prefix, browsers refuse cookies of the same name from a sibling domain or without https.
  const prefix = secure ? "__Host-page-service-" : "page-service-";
  const write = (name: string, value: string, seconds: number): string =>
    `${prefix}${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const read = (request: IncomingMessage, name: string, pattern = /^[\w-]{43}$/): string | undefined => {
    const start = `${prefix}${name}=`;
    const pair = request.headers.cookie?.split(/; */).find((each) => each.startsWith(start));
    const value = pair?.slice(start.length);
    return value !== undefined && pattern.test(value) ? value : undefined;
  };
  return {
    readSession: (request) => read(request, "session"),
    readVisitor: (request) => read(request, "visitor"),
    readDevice: (request) => read(request, "device", /^[\w-]{43}\.[\w-]{43}$/),
    session: (token) => write("session", token, MONTH_SECONDS),
    endSession: () => write("session", "", 0),
    visitor: (token) => write("visitor", token, HOUR_SECONDS),
    device: (token) => write("device", token, YEAR_SECONDS),
  };
}
