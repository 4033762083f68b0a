import { type Kind, type Latency, LEVELS } from "./mixed.js";

const WIDTH = 720;
const HEIGHT = 360;
const LEFT = 72;
const RIGHT = 120;
const TOP = 40;
const BOTTOM = 50;

const COLORS: Record<Kind, string> = {
  "GET page": "#1f6feb",
  "GET blocks": "#8250df",
  query: "#1a7f37",
  POST: "#cf222e",
  PATCH: "#bc4c00",
};

/** Draws the 99th percentile of each kind of request over the number of connections, both axes logarithmic. */
export function plotLatencies(found: readonly Latency[]): string {
  const values = found.map(({ p99 }) => p99);
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  const [first, last] = [LEVELS[0], LEVELS.at(-1) ?? LEVELS[0]];
  const across = (connections: number): number =>
    LEFT + (Math.log(connections / first) / Math.log(last / first)) * (WIDTH - LEFT - RIGHT);
  const up = (value: number): number =>
    HEIGHT - BOTTOM - (Math.log(value / low) / Math.log(high / low)) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>99th percentile of the time to an answer under mixed load</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(LEFT, 22, "Mixed load: 99th percentile of the time to an answer", "start", "#1f2328", 14),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "connections that ask at the same time", "middle"),
  ];
  for (let value = low; value <= high * 1.001; value *= 10) {
    parts.push(line(LEFT, up(value), WIDTH - RIGHT, up(value)), text(LEFT - 8, up(value) + 4, `${label(value)} ms`, "end")); // prettier-ignore
  }
  for (const level of LEVELS) {
    parts.push(line(across(level), TOP, across(level), HEIGHT - BOTTOM), text(across(level), HEIGHT - BOTTOM + 18, String(level), "middle")); // prettier-ignore
  }
  const ends = spread(
    lastOf(found).map(({ kind, p99 }) => ({ kind, y: up(p99) })),
    16,
  );
  for (const { kind, y } of ends) {
    const points = found
      .filter((each) => each.kind === kind)
      .map(({ connections, p99 }) => `${round(across(connections))},${round(up(p99))}`);
    parts.push(
      `<polyline points="${points.join(" ")}" fill="none" stroke="${COLORS[kind]}" stroke-width="2"/>`,
      text(WIDTH - RIGHT + 8, y + 4, kind, "start", COLORS[kind]),
    );
  }
  return `${[...parts, "</svg>"].join("\n")}\n`;
}

function lastOf(found: readonly Latency[]): Latency[] {
  return found.filter(({ connections }) => connections === LEVELS.at(-1));
}

/** Moves labels down where they would overlap. */
function spread(labels: { kind: Kind; y: number }[], least: number): { kind: Kind; y: number }[] {
  let above = Number.NEGATIVE_INFINITY;
  return labels
    .toSorted((a, b) => a.y - b.y)
    .map(({ kind, y }) => ({ kind, y: (above = Math.max(y, above + least)) }));
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="#d0d7de"/>`;
}

function text(x: number, y: number, content: string, anchor: string, fill = "#57606a", size = 12): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${fill}" font-size="${size}">${content}</text>`;
}

function label(value: number): string {
  return String(Number(value.toPrecision(1)));
}

function round(value: number): string {
  return value.toFixed(1);
}
