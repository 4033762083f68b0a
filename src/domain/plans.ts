import { MB } from "../units.js";

export const PLANS = ["free", "pro", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

const GB = 1000 * MB;

/** Bytes that the content of a workspace can take. Infinity means no limit. */
export const STORAGE_LIMIT_BYTES: Record<Plan, number> = { free: GB, pro: 20 * GB, enterprise: Infinity };

/** Formats a number of bytes such as `1.5 GB`; `no limit` for Infinity. */
export function describeBytes(bytes: number): string {
  if (bytes === Infinity) return "no limit";
  const [unit, size] = bytes < GB ? ["MB", MB] : ["GB", GB];
  return `${(bytes / size).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}

/** Limit that means "no limit". It is the highest 32-bit integer, because headers contain it. */
export const UNLIMITED_REQUESTS_PER_MINUTE = 2_147_483_647;

export function isUnlimited(limit: number): boolean {
  return limit === UNLIMITED_REQUESTS_PER_MINUTE;
}

/** Formats a limit such as `100 requests per minute`, or `no limit`. */
export function describeLimit(limit: number): string {
  if (isUnlimited(limit)) return "no limit";
  return limit === 1 ? "1 request per minute" : `${limit.toLocaleString("en")} requests per minute`;
}

/** Requests per minute that a plan allows without a custom limit. */
const REQUEST_LIMITS: Record<Plan, number> = {
  free: 100,
  pro: 1000,
  enterprise: UNLIMITED_REQUESTS_PER_MINUTE,
};

/** Returns the limit of a workspace in requests per minute. Only enterprise workspaces can have a custom limit. */
export function getRequestLimit(plan: Plan, customRequestLimit: number | null = null): number {
  return (plan === "enterprise" ? customRequestLimit : null) ?? REQUEST_LIMITS[plan];
}
