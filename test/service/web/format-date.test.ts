import { expect, test } from "vitest";
import { renderDate } from "../../../src/web/format.js";

test.each([
  ["2026-12-24", null, null, "24 Dec 2026"],
  ["2026-12-24T10:00:00.000+00:00", null, null, "24 Dec 2026, 10:00 UTC"],
  ["2026-12-24T10:00:05Z", null, null, "24 Dec 2026, 10:00:05 UTC"],
  ["2026-12-24T10:00:00-03:30", null, null, "24 Dec 2026, 10:00 UTC-03:30"],
  ["2026-12-24T10:00:00+05:30", null, null, "24 Dec 2026, 10:00 UTC+05:30"],
  [
    "2026-12-01T09:30:00",
    "2026-12-02T17:00:00",
    "Europe/Berlin",
    "1 Dec 2026, 09:30 to 2 Dec 2026, 17:00 (Europe/Berlin)",
  ],
  ["2026-12-24T10:00:00+01:00", null, "Europe/Berlin", "24 Dec 2026, 10:00 UTC+01:00 (Europe/Berlin)"],
  ["2026-12-24T10:00:00Z", null, "Europe/Berlin", "24 Dec 2026, 10:00 UTC (Europe/Berlin)"],
  ["0001-01-01", "2026-01-01", null, "1 Jan 0001 to 1 Jan 2026"],
  ["2026-02-30", null, null, "2026-02-30"],
])("%s to %s in %s is shown as %s", (start, end, time_zone, expected) => {
  const { text } = renderDate({ start, end, time_zone });
  expect(text.replaceAll(/<[^>]*>/g, "")).toBe(expected);
  expect(text).toContain(`<time datetime="${start}">`);
});
