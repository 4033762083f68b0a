import { expect, test } from "vitest";
import { renderRecentTime } from "../../../src/web/format.js";

test("times of the last 24 hours are shown as their distance from now, earlier ones as their day", () => {
  const now = Date.UTC(2026, 4, 4, 12);
  const render = (seconds: number): string =>
    renderRecentTime(now - seconds * 1000, now).text.replaceAll(/<[^>]*>/g, "");
  expect([59, 60, 3599, 3600, 86_399, 86_400].map(render)).toEqual([
    "just now",
    "1 minute ago",
    "59 minutes ago",
    "1 hour ago",
    "23 hours ago",
    "3 May 2026",
  ]);
  expect(renderRecentTime(now - 60_000, now).text).toContain('datetime="2026-05-04T11:59:00.000Z"');
});
