import { expect, onTestFinished, test } from "vitest";
import {
  MAX_FORMATTING_MS,
  MAX_FORMATTING_TURN_MS,
  MAX_RENDERED_CHARACTERS,
  MAX_TURN_MS,
} from "../../../../src/budgets.js";
import { awaitEventLoopTurn } from "../../../../src/operations/execution/event-loop-turns.js";
import { html, Html } from "../../../../src/web/html.js";
import { RenderBudget } from "../../../../src/web/render/budget.js";
import { formatParts, type FormattedPart } from "../../../../src/web/render/format-parts.js";
import { countTurns } from "../../../support/turns.js";

/** Creates a page of parts. */
function createPage(parts: readonly FormattedPart[]): readonly [Html, readonly FormattedPart[]] {
  const budget = new RenderBudget();
  return [html`<p>${parts.map((part) => budget.addPart(part))}</p>`, budget.parts];
}

/** Creates a part whose formatting takes some time, and as much processor time, which includes that of other threads. */
function createSlowPart(milliseconds: number, onFormat: () => void): FormattedPart {
  const format = (): Html => {
    onFormat();
    const startTime = performance.now();
    const startCpu = process.cpuUsage();
    const readMs = (): number => {
      const { user, system } = process.cpuUsage(startCpu);
      return Math.min(performance.now() - startTime, (user + system) / 1000);
    };
    while (readMs() < milliseconds);
    return html`formatted `;
  };
  return { format, plain: html`plain ` };
}

const NO_WAIT = (): Promise<void> => Promise.resolve();

test("slow parts of several pages are formatted in separate turns of the event loop, in which others continue", async () => {
  const turns = countTurns();
  onTestFinished(turns.end);
  const formatTurns: number[] = [];
  const finishedTurns = new Set<number>();
  const slow = createSlowPart(MAX_TURN_MS + 5, () => formatTurns.push(turns.current));
  const format = (): Html => {
    const formatted = slow.format();
    finishedTurns.add(turns.current);
    return formatted;
  };
  const parts = Array.from({ length: 2 }, () => ({ ...slow, format }));
  const formatPage = (workspaceId: string): Promise<Html> =>
    formatParts(...createPage(parts), () => awaitEventLoopTurn(workspaceId));
  await Promise.all(["a", "b", "c"].map(formatPage));
  // A busy machine can use up the time of a page before its second part.
  expect(formatTurns.length).toBeGreaterThanOrEqual(3);
  // A part that a busy machine interrupts before it has taken processor time needs no pause after it.
  formatTurns.slice(1).forEach((turn, index) => {
    const previous = formatTurns[index] ?? 0;
    if (finishedTurns.has(previous)) expect(turn - previous).toBeGreaterThanOrEqual(3);
  });
});

test("a part that never ends is interrupted and shown without formatting, and the others are formatted", async () => {
  const parts = [
    { format: () => html`first `, plain: html`plain ` },
    createSlowPart(Infinity, () => {}),
    { format: () => html`last`, plain: html`plain ` },
  ];
  const page = await formatParts(...createPage(parts), NO_WAIT);
  // A busy machine can use up the time of a page before its last part.
  expect(page.text).toMatch(/^<p>first plain (last|plain )<\/p>$/);
});

test("parts are shown without formatting when those before them have used up the time or the size of a page", async () => {
  let count = 0;
  const slow = createSlowPart(MAX_FORMATTING_MS / 5, () => (count += 1));
  const page = await formatParts(...createPage(Array(100).fill(slow)), NO_WAIT);
  expect(page.text.match(/formatted|plain/g)).toHaveLength(100);
  expect(count).toBeLessThanOrEqual(5);
  const long = { format: () => new Html("x".repeat(MAX_RENDERED_CHARACTERS / 2)), plain: html`plain` };
  const { text } = await formatParts(...createPage([long, long, long]), NO_WAIT);
  // A busy machine can use up the time of a page before its second part.
  expect(text).toMatch(/^<p>x*(?:plain)+<\/p>$/);
  const longest = { ...long, format: () => new Html("x".repeat(MAX_RENDERED_CHARACTERS)) };
  expect((await formatParts(...createPage([longest]), NO_WAIT)).text).not.toContain("plain");
});

test("text with NUL is not a placeholder of a part", async () => {
  const budget = new RenderBudget();
  const part = budget.addPart({ format: () => html`part`, plain: html`` });
  const page = html`<p title="${"\u00000\u0000"}">${"\u00000\u0000"}${part}</p>`;
  expect((await formatParts(page, budget.parts, NO_WAIT)).text).toBe(
    `<p title="&#0;0&#0;">&#0;0&#0;part</p>`,
  );
});

test("the preparation of a part is not interrupted, and others continue after it", async () => {
  let turns = 0;
  const prepare = (): boolean => {
    const start = performance.now();
    while (performance.now() - start < MAX_FORMATTING_TURN_MS + 20);
    return true;
  };
  const parts = [{ format: () => html`formatted`, plain: html`plain`, prepare }];
  const page = await formatParts(...createPage(parts), async () => void (turns += 1));
  expect([page.text, turns]).toEqual(["<p>formatted</p>", 2]);
});
