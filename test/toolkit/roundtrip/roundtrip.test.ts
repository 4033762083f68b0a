import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { TEST_TIMEOUT_MS } from "../../support/load.js";
import { generateInto, createProjectFolder } from "../generate/generated.js";
import { PROJECT } from "../../support/api-document.js";
import { uncheckedFetch } from "../../support/checked-responses.js";
import { findSkipReason, type Needs, SPECS } from "../../support/documents.js";
import { summary } from "./report.js";
import { type Report, roundTrip } from "./roundtrip.js";
import { testUnless } from "../../support/requirements.js";

const SHAPES = fileURLToPath(new URL("../../fixtures/generate/shapes.yaml", import.meta.url));
const DOCUMENTS: { file: string; needs?: Needs }[] = [
  { file: path.join(PROJECT, "spec/openapi.yaml") },
  { file: SHAPES },
  { file: fileURLToPath(new URL("../../fixtures/generate/streams.yaml", import.meta.url)) },
  ...["superset.json", "opencode.yaml", "openai.yaml", "rebilly.yaml", "github.json"].map((name) => ({
    file: path.join(SPECS, name),
    needs: "all" as const,
  })),
];

async function tryDocument(file: string): Promise<Report> {
  const folder = createProjectFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await generateInto(folder, file);
  return roundTrip(folder, { fetch: uncheckedFetch });
}

describe("values arrive unchanged in both directions", { timeout: 2 * TEST_TIMEOUT_MS }, () => {
  for (const { file, needs } of DOCUMENTS) {
    const name = path.basename(file);
    const why = findSkipReason(file, needs);
    if (why !== undefined) console.log(`Skipped the round trip of ${name}: ${why}.`);
    testUnless(why)(name, async () => {
      const report = await tryDocument(file);
      const description = summary(name, report, false);
      console.log(description);
      expect(report.failures, description).toEqual([]);
      expect(report.passed + report.unreachable.length).toBe(report.total);
    });
  }
});

describe("changes in transit are detected", () => {
  let folder: string;
  beforeAll(async () => {
    folder = createProjectFolder();
    await generateInto(folder, SHAPES);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const damaged: [string, typeof fetch][] = [
    [
      "a query",
      // The cast: the client passes a Request to fetch.
      (input) =>
        uncheckedFetch(
          new Request((input as Request).url.replace("archived=true", "archived=false"), input as Request),
        ),
    ],
    [
      "the body of a response",
      async (input) => changeResponse(await uncheckedFetch(input), (text) => text.replace("plain", "pla1n")),
    ],
    [
      "a header of a response",
      async (input) => changeResponse(await uncheckedFetch(input), (text) => text, "x-count"),
    ],
  ];
  test.each(damaged)("%s", async (_, fetch) => {
    const report = await roundTrip(folder, { fetch });
    expect(report.failures).not.toEqual([]);
    expect(report.passed).toBeLessThan(report.total);
  });
});

/** Changes the text of a response, and removes a header. */
async function changeResponse(
  response: Response,
  change: (text: string) => string,
  without?: string,
): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  if (without !== undefined) headers.delete(without);
  const text = await response.text();
  return new Response(text === "" ? null : change(text), { status: response.status, headers });
}
