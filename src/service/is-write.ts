import type { HttpOperation } from "../http/index.js";

/** Whether an operation needs write access. Operations that are not known to be safe need it. */
export function isWrite({ method, safe }: Pick<HttpOperation, "method" | "safe">): boolean {
  return method !== "GET" && safe !== true;
}
