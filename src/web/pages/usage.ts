import { HIGHEST_REQUEST_LIMIT, requestLimit } from "../../domain/limits.js";
import type { StoredSession } from "../../storage/sessions.js";
import { html, type Html } from "../html.js";
import { barChart, type Bucket, legend, total } from "./chart.js";
import { number } from "./layout.js";

/** The plan of a workspace, and what was asked in the last hour, by minutes, and in the last day, by half hours. */
export function usageSection(
  session: StoredSession,
  { hour, day }: { readonly hour: readonly Bucket[]; readonly day: readonly Bucket[] },
): Html {
  const limit = requestLimit(session.plan, session.ownLimit);
  const figure = (name: string, value: string, more?: string): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
      ${more !== undefined && html`<dd class="more">${more}</dd>`}
    </div>`;
  const requests = (name: string, { passed, refused }: { passed: number; refused: number }): Html =>
    figure(name, number(passed + refused), `${number(refused)} refused`);
  return html`<section class="card" aria-labelledby="usage-title">
    <div class="card-head">
      <h2 id="usage-title">Plan and usage</h2>
      ${legend()}
    </div>
    <dl class="figures">
      ${figure("Plan", session.plan.charAt(0).toUpperCase() + session.plan.slice(1))}
      ${figure("Requests a minute", limit === HIGHEST_REQUEST_LIMIT ? "no limit" : number(limit))}
      ${requests("Requests, last hour", total(hour))} ${requests("Requests, last 24 hours", total(day))}
    </dl>
    <div class="charts">
      ${barChart("chart-hour", "Last hour, by minute", "a minute", hour)}
      ${barChart("chart-day", "Last 24 hours, by half hour", "half an hour", day)}
    </div>
  </section>`;
}
