import type { IncomingMessage } from "node:http";

/** Cookies of the application. Scripts and other sites cannot read them. */
export interface Cookies {
  /** Token of the session. */
  readSession(request: IncomingMessage): string | undefined;
  /** CSRF token of a visitor without a session. */
  readVisitor(request: IncomingMessage): string | undefined;
  /** Token of a browser that has signed in before. */
  readDevice(request: IncomingMessage): string | undefined;
  formatSession(token: string): string;
  formatExpiredSession(): string;
  formatVisitor(token: string): string;
  formatDevice(token: string): string;
}

const HOUR_SECONDS = 3600;
const MONTH_SECONDS = 30 * 24 * HOUR_SECONDS;
const YEAR_SECONDS = 365 * 24 * HOUR_SECONDS;

/**
 * Creates the reader and writer of cookies.
 *
 * @param appUrl Address of the web application; with https, cookies are sent over https only.
 */
export function createCookies(appUrl: string): Cookies {
  const secure = new URL(appUrl).protocol === "https:";
  // With this prefix, browsers refuse cookies of the same name from a sibling domain or without https.
  const prefix = secure ? "__Host-page-service-" : "page-service-";
  const formatCookie = (name: string, value: string, seconds: number): string =>
    `${prefix}${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const readCookie = (
    request: IncomingMessage,
    name: string,
    pattern = /^[\w-]{43}$/,
  ): string | undefined => {
    const start = `${prefix}${name}=`;
    const pair = request.headers.cookie?.split(/; */).find((each) => each.startsWith(start));
    const value = pair?.slice(start.length);
    return value !== undefined && pattern.test(value) ? value : undefined;
  };
  return {
    readSession: (request) => readCookie(request, "session"),
    readVisitor: (request) => readCookie(request, "visitor"),
    readDevice: (request) => readCookie(request, "device", /^[\w-]{43}\.[\w-]{43}$/),
    formatSession: (token) => formatCookie("session", token, MONTH_SECONDS),
    formatExpiredSession: () => formatCookie("session", "", 0),
    formatVisitor: (token) => formatCookie("visitor", token, HOUR_SECONDS),
    formatDevice: (token) => formatCookie("device", token, YEAR_SECONDS),
  };
}
