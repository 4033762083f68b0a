import { isLoopback } from "../access/address.js";

/** Host names and origins under which the web application is reached. */
export interface TrustedHosts {
  /** Whether a Host header names this service. Ports are ignored: DNS rebinding changes the name only. */
  isTrustedHost(host: string | undefined): boolean;
  /** Whether an Origin header belongs to this service: it matches the Host header or a configured URL. */
  isTrustedOrigin(origin: string, host: string | undefined): boolean;
}

const LOOPBACK = "loopback";

/**
 * Creates the check of Host and Origin headers, which protects from DNS rebinding.
 *
 * @param urls APP_URL and BASE_URL. Names of the loopback interface count as equal.
 */
export function createTrustedHosts(urls: readonly string[]): TrustedHosts {
  const names = new Set(urls.map((url) => canonicalName(new URL(url).hostname)));
  const origins = new Set(urls.map((url) => new URL(url).origin));
  return {
    isTrustedHost(host) {
      const name = hostnameOf(`http://${host ?? ""}`);
      return name !== undefined && names.has(canonicalName(name));
    },
    isTrustedOrigin(origin, host) {
      if (!URL.canParse(origin)) return false;
      return origins.has(origin) || new URL(origin).host === host;
    },
  };
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function canonicalName(hostname: string): string {
  const name = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return name === "localhost" || isLoopback(name) ? LOOPBACK : name;
}
