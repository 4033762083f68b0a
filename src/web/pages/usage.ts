import type { Session } from "../../access/sessions.js";
import type { WorkspaceUsage } from "../../access/usage.js";
import { HIGHEST_REQUEST_LIMIT, requestLimit } from "../../domain/limits.js";
import { html, type Html } from "../html.js";
import { barChart, legend, sumRequests, toBuckets } from "./chart.js";
import { formatNumber } from "./layout.js";

/** Renders the plan of a workspace, and its requests of the last hour by minute and of the last day by half hour. */
export function usageSection(session: Session, usage: WorkspaceUsage, now: number): Html {
  const hour = toBuckets(usage.hour, now, 1, 60);
  const day = toBuckets(usage.day, now, 30, 48);
  const limit = requestLimit(session.plan, session.ownLimit);
  const figure = (name: string, value: string, more?: string): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
      ${more !== undefined && html`<dd class="more">${more}</dd>`}
    </div>`;
  const requests = (name: string, { passed, refused }: { passed: number; refused: number }): Html =>
    figure(name, formatNumber(passed + refused), `${formatNumber(refused)} refused`);
  return html`<section class="card" aria-labelledby="usage-title">
    <div class="card-head">
      <h2 id="usage-title">Plan and usage</h2>
      ${legend()}
    </div>
    <dl class="figures">
      ${figure("Plan", session.plan.charAt(0).toUpperCase() + session.plan.slice(1))}
      ${figure("Requests per minute", limit === HIGHEST_REQUEST_LIMIT ? "no limit" : formatNumber(limit))}
      ${requests("Requests, last hour", sumRequests(hour))}
      ${requests("Requests, last 24 hours", sumRequests(day))}
    </dl>
    <div class="charts">
      ${barChart("chart-hour", "Last hour, by minute", "a minute", hour)}
      ${barChart("chart-day", "Last 24 hours, by half hour", "half an hour", day)}
    </div>
  </section>`;
}
