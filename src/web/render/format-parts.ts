import { isNativeError } from "node:util/types";
import { createContext, Script } from "node:vm";
import {
  MAX_FORMATTING_MS,
  MAX_FORMATTING_TURN_MS,
  MAX_RENDERED_CHARACTERS,
  MAX_TURN_MS,
} from "../../budgets.js";
import { Html } from "../html.js";

/** Source code or an equation. Formatting it can take long, and even minutes if its author wants that. */
export interface FormattedPart {
  /** Highlights the code or typesets the equation. */
  readonly format: () => Html;
  /** The part without formatting. */
  readonly plain: Html;
  /** Prepares the formatting of this and other parts, without being interrupted. Returns false if nothing had to be prepared. */
  readonly prepare?: () => boolean;
}

const PLACEHOLDER = /\0(\d+)\0/g;

/** Creates the HTML for which formatParts inserts a part. html.ts escapes NUL in texts. */
export function formatPlaceholder(index: number): Html {
  return new Html(`\0${index}\0`);
}

/** Formats the parts of a page in turns of the event loop, and inserts them. Parts beyond the time or the size limit stay plain. */
export async function formatParts(
  page: Html,
  parts: readonly FormattedPart[],
  waitForTurn: () => Promise<void>,
): Promise<Html> {
  const formatted: string[] = [];
  let usedMs = 0;
  let charactersLeft = MAX_RENDERED_CHARACTERS;
  for (const { prepare } of parts) if (prepare?.()) await waitForTurn();
  while (formatted.length < parts.length && usedMs < MAX_FORMATTING_MS) {
    await waitForTurn();
    const start = performance.now();
    runWithTimeout(() => {
      for (const { format, plain } of parts.slice(formatted.length)) {
        const text = format().text;
        charactersLeft -= text.length;
        formatted.push(charactersLeft < 0 ? plain.text : text);
        if (performance.now() - start > MAX_TURN_MS) break;
      }
    });
    const timeMs = performance.now() - start;
    const interrupted = parts[formatted.length];
    if (timeMs >= MAX_FORMATTING_TURN_MS && interrupted !== undefined) formatted.push(interrupted.plain.text);
    usedMs += timeMs;
  }
  for (const { plain } of parts.slice(formatted.length)) formatted.push(plain.text);
  return new Html(page.text.replace(PLACEHOLDER, (_, index: string) => formatted[Number(index)] ?? ""));
}

/** Globals of the script that calls `run`. Parts are formatted from a script, because `node:vm` can interrupt scripts. */
const scriptGlobals: { run?: () => void } = {};
const scriptContext = createContext(scriptGlobals);
const script = new Script("run()");

/** Calls a function, and interrupts it after MAX_FORMATTING_TURN_MS, also within a regular expression. */
function runWithTimeout(run: () => void): void {
  scriptGlobals.run = run;
  try {
    script.runInContext(scriptContext, { timeout: MAX_FORMATTING_TURN_MS });
  } catch (error) {
    if (!(isNativeError(error) && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"))
      throw error;
  } finally {
    // The function would keep the page in memory.
    delete scriptGlobals.run;
  }
}
