import { isLoopback } from "../access/address.js";

/** Checks of the Host and Origin headers against the configured addresses of the service. */
export interface TrustedHosts {
  /** Whether a Host header names this service. Ports are ignored: DNS rebinding changes the name only. */
  isTrustedHost(host: string | undefined): boolean;
  /** Whether an Origin header belongs to this service: it matches the Host header or a configured URL. */
  isTrustedOrigin(origin: string, host: string | undefined): boolean;
}

/** Canonical name of `localhost` and all loopback addresses. */
const LOOPBACK = "loopback";

/**
 * Creates the checks, which protect against DNS rebinding and forms of other sites.
 *
 * @param urls APP_URL and BASE_URL.
 */
export function createTrustedHosts(urls: readonly string[]): TrustedHosts {
  const names = new Set(urls.map((url) => canonicalizeHostname(new URL(url).hostname)));
  const origins = new Set(urls.map((url) => new URL(url).origin));
  return {
    isTrustedHost(host) {
      const name = parseHostname(`http://${host ?? ""}`);
      return name !== undefined && names.has(canonicalizeHostname(name));
    },
    isTrustedOrigin(origin, host) {
      if (!URL.canParse(origin)) return false;
      return origins.has(origin) || new URL(origin).host === host;
    },
  };
}

function parseHostname(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Returns a host name without brackets and the dot of the root domain. Loopback names have one canonical name. */
function canonicalizeHostname(hostname: string): string {
  const name = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return name === "localhost" || isLoopback(name) ? LOOPBACK : name;
}
