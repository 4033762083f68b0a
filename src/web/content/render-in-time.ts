import { isNativeError } from "node:util/types";
import { createContext, Script } from "node:vm";
import { MAX_FORMATTING_MS } from "../../budgets.js";
import { RenderBudget } from "./budget.js";

/** Global object of the script that renders. Rendering is a script, because `node:vm` can interrupt scripts after a time limit. */
const scriptGlobals: { run?: () => unknown } = {};
const scriptContext = createContext(scriptGlobals);
const formattingScript = new Script("run()");

/**
 * Renders a page within a time limit. Highlighting and typesetting can take minutes for hostile content, so a page that
 * exceeds the limit is rendered again without them.
 */
export function renderInTime<Result>(render: (budget: RenderBudget) => Result): Result {
  let result: Result | undefined;
  scriptGlobals.run = () => {
    result = render(new RenderBudget());
  };
  try {
    // The time limit also interrupts regular expressions.
    formattingScript.runInContext(scriptContext, { timeout: MAX_FORMATTING_MS });
  } catch (error) {
    if (!(isNativeError(error) && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"))
      throw error;
  } finally {
    // The function would keep the page in memory.
    delete scriptGlobals.run;
  }
  return result ?? render(new RenderBudget(false));
}
