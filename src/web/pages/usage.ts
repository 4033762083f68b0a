import type { Session } from "../../access/sessions.js";
import type { WorkspaceUsage } from "../../access/usage.js";
import {
  describeBytes,
  HIGHEST_REQUEST_LIMIT,
  requestLimit,
  STORAGE_LIMIT_BYTES,
} from "../../domain/limits.js";
import { formatNumber } from "../format.js";
import { html, type Html } from "../html.js";
import { renderBarChart, renderLegend, sumRequests, toBuckets } from "./chart.js";
import { renderSection } from "./elements.js";

/**
 * Renders the plan of a workspace and its request counts: the last hour in minutes, and the last day in half hours.
 */
export function renderUsageSection(session: Session, usage: WorkspaceUsage, now: number): Html {
  const hourBuckets = toBuckets(usage.lastHour, now, 1, 60);
  const dayBuckets = toBuckets(usage.lastDay, now, 30, 48);
  const limit = requestLimit(session.plan, session.ownLimit);
  const renderFigure = (name: string, value: string, detail?: string): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
      ${detail !== undefined && html`<dd class="more">${detail}</dd>`}
    </div>`;
  const renderRequests = (name: string, { passed, refused }: { passed: number; refused: number }): Html =>
    renderFigure(name, formatNumber(passed + refused), `${formatNumber(refused)} refused`);
  return renderSection(
    "usage",
    "Plan and usage",
    html`<dl class="figures">
        ${renderFigure("Plan", session.plan.charAt(0).toUpperCase() + session.plan.slice(1))}
        ${renderFigure("Requests per minute", limit === HIGHEST_REQUEST_LIMIT ? "no limit" : formatNumber(limit))}
        ${renderFigure("Storage", describeBytes(usage.storedBytes), `limit: ${describeBytes(STORAGE_LIMIT_BYTES[session.plan])}`)}
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
