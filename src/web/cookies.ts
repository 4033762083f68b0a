import type { IncomingMessage } from "node:http";

/** The cookies of the application: of the session, and of the forms of who has none. */
export interface Cookies {
  readSession(request: IncomingMessage): string | undefined;
  readVisitor(request: IncomingMessage): string | undefined;
  session(token: string): string;
  endSession(): string;
  visitor(token: string): string;
}

const MONTH_SECONDS = 30 * 24 * 3600;
const HOUR_SECONDS = 3600;

/**
 * Makes and reads cookies that scripts and other sites do not see, and that are sent over https alone where the
 * application is there.
 *
 * @param appUrl Address of the web application.
 */
export function createCookies(appUrl: string): Cookies {
  const secure = new URL(appUrl).protocol === "https:";
  // The prefix makes browsers refuse a cookie of that name from a neighbouring host or without https.
  const name = (base: string): string => (secure ? `__Host-${base}` : base);
  const write = (base: string, value: string, seconds: number): string =>
    `${name(base)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const read = (request: IncomingMessage, base: string): string | undefined => {
    const start = `${name(base)}=`;
    const found = request.headers.cookie?.split(/; */).find((pair) => pair.startsWith(start));
    const value = found?.slice(start.length);
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
  };
  return {
    readSession: (request) => read(request, "page-service-session"),
    readVisitor: (request) => read(request, "page-service-visitor"),
    session: (token) => write("page-service-session", token, MONTH_SECONDS),
    endSession: () => write("page-service-session", "", 0),
    visitor: (token) => write("page-service-visitor", token, HOUR_SECONDS),
  };
}
