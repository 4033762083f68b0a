import { isLoopback } from "../access/limits/client-address.js";
import { parseUrl } from "../domain/url.js";

export type TrustedHosts = ReturnType<typeof createTrustedHosts>;

const LOOPBACK = "loopback";

/** Creates the checks of Host and Origin headers against APP_URL and BASE_URL. They stop DNS rebinding and foreign forms. */
export function createTrustedHosts(urls: readonly string[]) {
  const names = new Set(urls.map((url) => canonicalizeHostname(new URL(url).hostname)));
  const origins = new Set(urls.map((url) => new URL(url).origin));
  return {
    /** Whether a Host header names this service. Ports are ignored: DNS rebinding changes the name only. */
    isTrustedHost: (host = ""): boolean => names.has(readHostname(host)),
    /** Whether an Origin header belongs to this service: it matches the Host header or a configured URL. */
    isTrustedOrigin(origin: string, host: string | undefined): boolean {
      const parsed = parseUrl(origin);
      return parsed !== undefined && (origins.has(origin) || parsed.host === host);
    },
  };
}

/** Whether a Host header names this machine: localhost or a loopback address. */
export function isLoopbackHost(host = ""): boolean {
  return readHostname(host) === LOOPBACK;
}

/** Returns the canonical name in a Host header; empty for an invalid one. */
function readHostname(host: string): string {
  return canonicalizeHostname(parseUrl(`http://${host}`)?.hostname ?? "");
}

/** Returns a host name without brackets and the dot of the root domain. Loopback names have one canonical name. */
function canonicalizeHostname(hostname: string): string {
  const name = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return name === "localhost" || isLoopback(name) ? LOOPBACK : name;
}
