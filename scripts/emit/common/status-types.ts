import { FINAL_STATUSES, STATUSES_WITHOUT_CONTENT } from "../../model/messages.js";
import type { Imports } from "./imports.js";

/** Types of the server's runtime for many statuses, by the first digit of these. */
const STATUS_TYPES: readonly (readonly [firstDigit: string, name: string])[] = [
  ["3", "RedirectStatus"],
  ["4", "ClientErrorStatus"],
  ["5", "ServerErrorStatus"],
];

/**
 * Prints the type of a response's status. The statuses of a range or of `default` are the types of the runtime without the few
 * statuses that have a response of their own, such as `Exclude<ClientErrorStatus | ServerErrorStatus, 404>`.
 */
export function printStatusType(statuses: readonly number[], imports: Imports): string {
  const included: string[] = [];
  const excluded: number[] = [];
  let others = statuses;
  for (const [firstDigit, name] of STATUS_TYPES) {
    const all = FINAL_STATUSES.filter(
      (status) => String(status).startsWith(firstDigit) && !STATUSES_WITHOUT_CONTENT.has(status),
    );
    const missing = all.filter((status) => !statuses.includes(status));
    if (missing.length * 2 > all.length) continue;
    included.push(imports.importRuntimeType(name));
    excluded.push(...missing);
    others = others.filter((status) => !all.includes(status));
  }
  const union = included.join(" | ");
  const named = excluded.length > 0 ? `Exclude<${union}, ${excluded.join(" | ")}>` : union;
  return [named, ...others].filter((part) => part !== "").join(" | ");
}
