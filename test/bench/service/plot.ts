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
  const getX = (connections: number): number =>
    LEFT + (Math.log(connections / first) / Math.log(last / first)) * (WIDTH - LEFT - RIGHT);
  const getY = (value: number): number =>
    HEIGHT - BOTTOM - (Math.log(value / low) / Math.log(high / low)) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>99th percentile of the response time under mixed load</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    drawText(LEFT, 22, "Mixed load: 99th percentile of the response time", "start", "#1f2328", 14),
    drawText((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "concurrent connections", "middle"),
  ];
  for (let value = low; value <= high * 1.001; value *= 10) {
    parts.push(drawLine(LEFT, getY(value), WIDTH - RIGHT, getY(value)), drawText(LEFT - 8, getY(value) + 4, `${formatLabel(value)} ms`, "end")); // prettier-ignore
  }
  for (const level of LEVELS) {
    parts.push(drawLine(getX(level), TOP, getX(level), HEIGHT - BOTTOM), drawText(getX(level), HEIGHT - BOTTOM + 18, String(level), "middle")); // prettier-ignore
  }
  const ends = spreadLabels(
    filterLastLevel(found).map(({ kind, p99 }) => ({ kind, y: getY(p99) })),
    16,
  );
  for (const { kind, y } of ends) {
    const points = found
      .filter((each) => each.kind === kind)
      .map(({ connections, p99 }) => `${formatCoordinate(getX(connections))},${formatCoordinate(getY(p99))}`);
    parts.push(
      `<polyline points="${points.join(" ")}" fill="none" stroke="${COLORS[kind]}" stroke-width="2"/>`,
      drawText(WIDTH - RIGHT + 8, y + 4, kind, "start", COLORS[kind]),
    );
  }
  return `${[...parts, "</svg>"].join("\n")}\n`;
}

function filterLastLevel(found: readonly Latency[]): Latency[] {
  return found.filter(({ connections }) => connections === LEVELS.at(-1));
}

/** Moves labels down where they would overlap. */
function spreadLabels(labels: { kind: Kind; y: number }[], least: number): { kind: Kind; y: number }[] {
  let above = Number.NEGATIVE_INFINITY;
  return labels
    .toSorted((a, b) => a.y - b.y)
    .map(({ kind, y }) => ({ kind, y: (above = Math.max(y, above + least)) }));
}

function drawLine(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${formatCoordinate(x1)}" y1="${formatCoordinate(y1)}" x2="${formatCoordinate(x2)}" y2="${formatCoordinate(y2)}" stroke="#d0d7de"/>`;
}

function drawText(
  x: number,
  y: number,
  content: string,
  anchor: string,
  fill = "#57606a",
  size = 12,
): string {
  return `<text x="${formatCoordinate(x)}" y="${formatCoordinate(y)}" text-anchor="${anchor}" fill="${fill}" font-size="${size}">${content}</text>`;
}

function formatLabel(value: number): string {
  return String(Number(value.toPrecision(1)));
}

function formatCoordinate(value: number): string {
  return value.toFixed(1);
}
