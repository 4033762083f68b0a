import type { Report } from "./roundtrip.js";

/** Formats a report as lines. */
export function summary(name: string, report: Report, all: boolean): string {
  const { passed, total, samples, failures, unreachable, skipped, ambiguous } = report;
  const shown = all ? failures : failures.slice(0, 20);
  const reasons = [...skipped].sort(([, a], [, b]) => b - a);
  const left = unreachable.length > 0 ? ` (${unreachable.length} cannot be called)` : "";
  const lines = [
    `${name}: ${passed} / ${total} operations round-tripped${left}, ${samples} samples sent`,
    ...shown.map(
      ({ operation, what, count }) =>
        `  FAILED  ${operation}: ${what}${count > 1 ? ` (${count} times)` : ""}`,
    ),
    ...(failures.length > shown.length
      ? [`  and ${failures.length - shown.length} more; --all shows them`]
      : []),
    ...unreachable.map((what) => `  cannot be called  ${what}`),
    ...(ambiguous > 0
      ? [`  ${ambiguous} values have the text of another value that their schema allows`]
      : []),
    ...reasons.slice(0, all ? Infinity : 10).map(([what, count]) => `  left out in ${count}  ${what}`),
    ...(reasons.length > 10 && !all
      ? [`  and ${reasons.length - 10} more were left out; --all shows them`]
      : []),
  ];
  return lines.join("\n");
}
