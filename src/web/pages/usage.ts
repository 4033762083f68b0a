import type { Session } from "../../access/accounts/sessions.js";
import type { WorkspaceUsage } from "../../access/limits/usage.js";
import { describeBytes, getRequestLimit, isUnlimited, STORAGE_LIMIT_BYTES } from "../../domain/plans.js";
import { formatNumber } from "../format.js";
import { html, type Html } from "../html.js";
import { renderBarChart, renderLegend, sumRequests, toBuckets } from "./request-chart.js";
import { renderSection } from "./elements.js";

/** Renders the plan, the storage, and the requests of a workspace: by minute for an hour, by half hour for a day. */
export function renderUsageSection(session: Session, usage: WorkspaceUsage, now: number): Html {
  const hourBuckets = toBuckets(usage.requestCounts, now, { minutesPerBucket: 1, bucketCount: 60 });
  const dayBuckets = toBuckets(usage.requestCounts, now, { minutesPerBucket: 30, bucketCount: 48 });
  const limit = getRequestLimit(session.plan, session.customRequestLimit);
  const storageLimit = STORAGE_LIMIT_BYTES[session.plan];
  const isStorageFull = usage.storedBytes > storageLimit;
  const renderStatistic = (label: string, value: string, detail?: string): Html =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
      ${detail !== undefined && html`<dd class="more">${detail}</dd>`}
    </div>`;
  const renderRequests = (label: string, { passed, refused }: { passed: number; refused: number }): Html =>
    renderStatistic(label, formatNumber(passed + refused), `${formatNumber(refused)} refused`);
  return renderSection(
    "usage",
    "Plan and usage",
    html`<dl class="statistics">
        ${renderStatistic("Plan", session.plan.charAt(0).toUpperCase() + session.plan.slice(1))}
        ${
          isUnlimited(limit)
            ? renderStatistic("Request limit", "no limit")
            : renderStatistic("Request limit", formatNumber(limit), "per minute")
        }
        ${renderStatistic(
          "Storage",
          describeBytes(usage.storedBytes),
          storageLimit === Infinity
            ? "no limit"
            : `limit: ${describeBytes(storageLimit)}${isStorageFull ? ", so new content is refused" : ""}`,
        )}
        ${renderRequests("Requests, last hour", sumRequests(hourBuckets))}
        ${renderRequests("Requests, last 24 hours", sumRequests(dayBuckets))}
      </dl>
      <div class="charts">
        ${renderBarChart("Last hour, by minute", "a minute", hourBuckets)}
        ${renderBarChart("Last 24 hours, by half hour", "half an hour", dayBuckets)}
      </div>`,
    renderLegend(),
  );
}
