import { existsSync, readFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from "vitest/node";
import { ApiDocument } from "./api-document.js";
import { createResponseChecker } from "./check-response.js";
import { describeDuration } from "./load.js";

/**
 * Prints the reasons for skipped tests, and for complete runs also the expected duration and the responses of the API that
 * no test has seen.
 */
export class RunReporter implements Reporter {
  #vitest: Vitest | undefined;
  #isComplete = false;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const vitest = this.#vitest;
    if (vitest === undefined) return;
    const all = await vitest.globTestSpecifications();
    const { project, testNamePattern, shard } = vitest.config;
    this.#isComplete =
      specifications.length === all.length &&
      project.length === 0 &&
      testNamePattern === undefined &&
      shard === undefined;
    if (this.#isComplete) console.log(describeDuration());
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const line of explainSkips(modules)) console.log(line);
    const [module] = modules;
    if (module !== undefined) {
      console.log(reportSeen(module.project.getProvidedContext().seenResponses, this.#isComplete));
    }
  }
}

/** Lists the reasons for skipped tests, one per line, without tests that a name filter excludes. */
function explainSkips(modules: readonly TestModule[]): string[] {
  const byReason = new Map<string, TestCase[]>();
  for (const module of modules) {
    if (module.project.config.testNamePattern !== undefined) continue;
    for (const test of module.children.allTests("skipped")) {
      const result = test.result();
      const note = result.state === "skipped" ? result.note : undefined;
      const reason = note ?? (hasFailedHook(test) ? "a hook failed" : `"${test.fullName}" gives no reason`);
      byReason.set(reason, [...(byReason.get(reason) ?? []), test]);
    }
  }
  return [...byReason].map(([reason, tests]) => {
    const files = new Set(tests.map(({ module }) => module.relativeModuleId));
    return `Skipped ${tests.length}: ${reason} (${[...files].join(", ")})`;
  });
}

/** Whether a hook of the file or of a surrounding `describe` failed, so that the test did not run. */
function hasFailedHook({ parent }: TestCase): boolean {
  for (let suite = parent; ; suite = suite.parent) {
    if (suite.errors().length > 0) return true;
    if (suite.type === "module") return false;
  }
}

function reportSeen(file: string, isComplete: boolean): string {
  const seen = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return coverageReport(createResponseChecker(ApiDocument.committed()).declared, seen, isComplete);
}

/** Reports the number of seen operation × status pairs, and for complete runs the list of the others. */
export function coverageReport(
  declared: readonly string[],
  seen: readonly string[],
  isComplete: boolean,
): string {
  const unseen = declared.filter((pair) => !seen.includes(pair));
  const list =
    unseen.length === 0 ? "All were seen." : `Never seen:\n${unseen.map((pair) => `  ${pair}`).join("\n")}`;
  return [
    "",
    `Responses checked against the document: ${declared.length - unseen.length} of ${declared.length} operation × status pairs seen.`,
    ...(isComplete ? [list] : []),
    "",
  ].join("\n");
}
