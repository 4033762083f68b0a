import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDocumentWithSamples } from "../../../scripts/project/docs/samples/samples.js";
import { ApiDocument, PROJECT } from "../../support/api-document.js";
import { type RunningService, startService } from "../../support/service.js";
import { type Outcome, Programs, run } from "./programs.js";
import { createWorld, type World } from "./world.js";
import { NO_CURL } from "../../support/curl.js";
import { testUnless } from "../../support/requirements.js";

const { samples } = await readDocumentWithSamples(path.join(PROJECT, "spec/openapi.yaml"));
const named = samples.map((sample) => [[sample.operation, sample.exampleName].join("-"), sample] as const);
const programs = new Programs("samples");

let running: RunningService;
let outcomes: Map<string, Outcome>;
beforeAll(async () => {
  running = await startService();
  const adapted = named.map(async ([name, sample]) => {
    const world = await getWorld(sample);
    return { name, text: world.adapt(sample.typescript), env: { API_KEY: world.key } };
  });
  outcomes = await programs.runAll(await Promise.all(adapted));
});
afterAll(async () => {
  programs.remove();
  await running.service.close();
});

/** Returns the world of a sample: a database of pages for examples of pages, otherwise a database of trips. */
function getWorld({ operation, exampleName }: (typeof samples)[number]): Promise<World> {
  const kind = /Page/.test(operation) ? "pages" : "trips";
  return createWorld(
    running,
    kind,
    operation === "updateBlock" && exampleName === "text" ? "paragraph" : "to_do",
  );
}

test("every operation has a sample for each example of its body", () => {
  const expected = ApiDocument.committed()
    .operations()
    .map(({ id, body }) => [id, Math.max(1, body?.[0]?.examples.length ?? 1)]);
  const found = new Map<string, number>();
  for (const { operation } of samples) found.set(operation, (found.get(operation) ?? 0) + 1);
  expect([...found].sort()).toEqual(expected.sort());
});

test("the samples compile", () => {
  const texts = new Map(named.map(([name, { typescript }]) => [name, typescript]));
  expect(programs.check(texts)).toEqual([]);
  // A control: the compiler reports mistakes.
  expect(programs.check(new Map([["wrong", 'import { nobody } from "page-service/client";']]))).toHaveLength(
    1,
  );
});

describe.each(named)("%s", (name, sample) => {
  testUnless(NO_CURL)("curl", async () => {
    const world = await getWorld(sample);
    const command = `${world.adapt(sample.curl)} --silent --show-error --fail-with-body`;
    const { code, stdout, stderr } = await run("sh", ["-c", command], { env: { API_KEY: world.key } });
    expect([code, stderr], stdout).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toHaveProperty("object");
  });

  test("TypeScript", () => {
    expect(outcomes.get(name)).toEqual({ code: 0, stdout: expect.stringContaining("object: "), stderr: "" });
  });
});
