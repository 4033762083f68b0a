import { MINUTE_MS } from "../../units.js";
import type { RequestCount } from "../../access/limits/usage.js";
import { sumBy } from "../../lists.js";
import { formatNumber } from "../format.js";
import { html, type Html, type HtmlValue } from "../html.js";
import { renderTableHead } from "./elements.js";

const WIDTH = 480;
const HEIGHT = 150;
const MARGIN_LEFT = 40;
const MARGIN_BOTTOM = 20;
const MARGIN_TOP = 8;
const PLOT_HEIGHT = HEIGHT - MARGIN_BOTTOM - MARGIN_TOP;

const compactNumber = new Intl.NumberFormat("en", { notation: "compact" });

/** Sums counts into buckets, which have the minute of their start. The last one contains `now`, in milliseconds since 1970. */
export function toBuckets(
  counts: readonly RequestCount[],
  now: number,
  { minutesPerBucket, bucketCount }: { minutesPerBucket: number; bucketCount: number },
): RequestCount[] {
  const firstBucket = Math.floor(now / MINUTE_MS / minutesPerBucket) - bucketCount + 1;
  const buckets = Array.from({ length: bucketCount }, (_, index) => ({
    minute: (firstBucket + index) * minutesPerBucket,
    passed: 0,
    refused: 0,
  }));
  for (const { minute, passed, refused } of counts) {
    const bucket = buckets[Math.floor(minute / minutesPerBucket) - firstBucket];
    if (bucket === undefined) continue;
    bucket.passed += passed;
    bucket.refused += refused;
  }
  return buckets;
}

export function sumRequests(buckets: readonly RequestCount[]): Pick<RequestCount, "passed" | "refused"> {
  return {
    passed: sumBy(buckets, ({ passed }) => passed),
    refused: sumBy(buckets, ({ refused }) => refused),
  };
}

/** Renders a chart with a bar for each bucket, and the same data as a table. `bucketLength` is a text such as "a minute". */
export function renderBarChart(title: string, bucketLength: string, buckets: readonly RequestCount[]): Html {
  const highest = Math.max(...buckets.map(({ passed, refused }) => passed + refused));
  const axisMaximum = roundUpToScale(highest);
  const { passed, refused } = sumRequests(buckets);
  const summary = `${title}: ${formatNumber(passed)} passed, ${formatNumber(refused)} refused, at most ${formatNumber(highest)} in ${bucketLength}.`;
  return html`<figure class="chart">
    <figcaption>${title} <span class="muted small">(UTC)</span></figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${summary}">
      ${[0, 0.5, 1].map((fraction) => renderGridLine(axisMaximum * fraction, MARGIN_TOP + PLOT_HEIGHT * (1 - fraction)))}
      ${renderBars(buckets, PLOT_HEIGHT / axisMaximum)}
      ${[0, 0.25, 0.5, 0.75].map((fraction) => renderTimeLabel(fraction, buckets[Math.round(buckets.length * fraction)]))}
      <text x="${WIDTH}" y="${HEIGHT - 5}" text-anchor="end">now</text>
      ${
        highest === 0 &&
        html`<text
          x="${(MARGIN_LEFT + WIDTH) / 2}"
          y="${MARGIN_TOP + PLOT_HEIGHT * 0.3}"
          text-anchor="middle"
        >
          No requests yet
        </text>`
      }
    </svg>
    <details>
      <summary>As a table<span class="visually-hidden">: ${title}</span></summary>
      ${highest === 0 ? html`<p class="muted">There were no requests.</p>` : renderTable(title, buckets)}
    </details>
  </figure>`;
}

/** Renders the legend of the colors of the bars. */
export function renderLegend(): Html {
  const renderSwatch = (cssClass: string): Html =>
    html`<svg viewBox="0 0 10 10" aria-hidden="true">
      <rect class="${cssClass}" width="10" height="10" rx="2" />
    </svg>`;
  return html`<ul class="legend">
    <li>${renderSwatch("passed")}passed</li>
    <li>${renderSwatch("refused")}refused (over the limit)</li>
  </ul>`;
}

function renderGridLine(value: number, y: number): Html {
  return html`<line class="grid" x1="${MARGIN_LEFT}" x2="${WIDTH}" y1="${round(y)}" y2="${round(y)}" />
    <text x="${MARGIN_LEFT - 6}" y="${round(y + 4)}" text-anchor="end">${compactNumber.format(value)}</text>`;
}

/** Renders the start of a bucket at `position`: from 0, the left end of the chart, to 1, where the label is "now". */
function renderTimeLabel(position: number, bucket: RequestCount | undefined): HtmlValue {
  const x = round(MARGIN_LEFT + (WIDTH - MARGIN_LEFT) * position);
  return bucket && html`<text x="${x}" y="${HEIGHT - 5}">${formatTime(bucket.minute)}</text>`;
}

function renderBars(buckets: readonly RequestCount[], scale: number): HtmlValue {
  const step = (WIDTH - MARGIN_LEFT) / buckets.length;
  const width = round(Math.max(step - 1.5, 1));
  const baseline = HEIGHT - MARGIN_BOTTOM;
  // Small values stay visible.
  const toHeight = (count: number): number => (count === 0 ? 0 : Math.max(count * scale, 1.5));
  const renderRect = (cssClass: string, x: number, bottom: number, height: number): HtmlValue =>
    height > 0 &&
    html`<rect
      class="${cssClass}"
      x="${round(x)}"
      y="${round(bottom - height)}"
      width="${width}"
      height="${round(height)}"
    />`;
  return buckets.map(({ minute, passed, refused }, index) => {
    if (passed + refused === 0) return undefined;
    const [x, passedHeight] = [MARGIN_LEFT + index * step, toHeight(passed)];
    const title = `${formatTime(minute)} UTC: ${formatNumber(passed)} passed, ${formatNumber(refused)} refused`;
    return html`<g>
      <title>${title}</title>
      ${renderRect("passed", x, baseline, passedHeight)}
      ${renderRect("refused", x, baseline - passedHeight, toHeight(refused))}
    </g>`;
  });
}

function renderTable(title: string, buckets: readonly RequestCount[]): Html {
  return html`<div class="chart-table" tabindex="0" role="region" aria-label="${title}">
    <table>
      ${renderTableHead(["From (UTC)", "Passed", "Refused"])}
      <tbody>
        ${buckets
          .filter(({ passed, refused }) => passed + refused > 0)
          .map(
            ({ minute, passed, refused }) =>
              html`<tr>
                <td>${formatTime(minute)}</td>
                <td>${formatNumber(passed)}</td>
                <td>${formatNumber(refused)}</td>
              </tr>`,
          )}
      </tbody>
    </table>
  </div>`;
}

/** Rounds up to 2, 4 or 10 times a power of ten, so that half of the result is a whole number too. */
function roundUpToScale(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [2, 4, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? 10 * power;
}

/** Formats the hours and minutes in UTC of a minute, counted since 1970. */
function formatTime(minute: number): string {
  return new Date(minute * MINUTE_MS).toISOString().slice(11, 16);
}

/** Rounds to one decimal, which is enough for coordinates. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
