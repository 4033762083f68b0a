import type { IncomingMessage } from "node:http";
import { MAX_SESSION_AGE_MS } from "../access/accounts/sessions.js";
import { DAY_MS } from "../units.js";

export type Cookies = ReturnType<typeof createCookies>;

/** Matches a token of 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;
/** Matches the token of a device, which has a signature. */
const SIGNED_TOKEN = /^[\w-]{43}\.[\w-]{43}$/;

/** Creates functions that read cookies and format Set-Cookie headers. Readers return undefined for a malformed cookie. */
export function createCookies(appUrl: string) {
  const secure = new URL(appUrl).protocol === "https:";
  // With this prefix, browsers refuse cookies of the same name from a sibling domain or without https.
  const prefix = secure ? "__Host-page-service-" : "page-service-";
  const formatCookie = (name: string, value: string, ttlMs: number): string =>
    `${prefix}${name}=${value}; Path=/; Max-Age=${ttlMs / 1000}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const readCookie = (request: IncomingMessage, name: string, pattern: RegExp): string | undefined => {
    const start = `${prefix}${name}=`;
    const pair = request.headers.cookie?.split(/; */).find((text) => text.startsWith(start));
    const value = pair?.slice(start.length);
    return value !== undefined && pattern.test(value) ? value : undefined;
  };
  return {
    readSession: (request: IncomingMessage) => readCookie(request, "session", TOKEN),
    /** Reads the CSRF token of a visitor without a session. */
    readVisitor: (request: IncomingMessage) => readCookie(request, "visitor", TOKEN),
    /** Reads the token of a browser that has signed in before. */
    readDevice: (request: IncomingMessage) => readCookie(request, "device", SIGNED_TOKEN),
    formatSession: (token: string) => formatCookie("session", token, MAX_SESSION_AGE_MS),
    formatExpiredSession: () => formatCookie("session", "", 0),
    formatVisitor: (token: string) => formatCookie("visitor", token, DAY_MS),
    formatDevice: (token: string) => formatCookie("device", token, 365 * DAY_MS),
  };
}
