/** The plans that a workspace can be on. */
export const PLANS = ["free", "pro", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

/** The highest number of requests a minute that a plan can allow; in effect no limit. */
export const HIGHEST_REQUEST_LIMIT = 2_147_483_647;

/**
 * How many requests a minute a workspace may send.
 *
 * @param plan The workspace's plan.
 * @param ownLimit The number agreed with an enterprise workspace, or null; other plans have none.
 */
export function requestLimit(plan: Plan, ownLimit: number | null): number {
  switch (plan) {
    case "free":
      return 100;
    case "pro":
      return 1000;
    case "enterprise":
      return ownLimit ?? HIGHEST_REQUEST_LIMIT;
  }
}
