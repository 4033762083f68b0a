import { describe, expect, it } from "vitest";
import { EMPTY, listDiagnostics } from "./documents.js";

describe("a document beyond a limit", () => {
  it.each([
    ["an alias of itself", `${EMPTY}x-a: &a {b: *a}\n`, /^4:10 An alias contains itself/],
    [
      "deep aliases",
      `${EMPTY}x-0: &a0 {}\n` +
        Array.from({ length: 900 }, (_, i) => `x-${i + 1}: &a${i + 1} {x: *a${i}}\n`).join(""),
      /Nested deeper than 200/,
    ],
    [
      "a chain of references",
      `${EMPTY}components:\n  schemas:\n` +
        Array.from({ length: 3000 }, (_, i) => `    S${i}: {$ref: "#/components/schemas/S${i + 1}"}\n`).join(
          "",
        ),
      /through more than 50 others/,
    ],
    ["millions of nodes", `${EMPTY}x-a: [${"[],".repeat(2_000_000)}1]\n`, /above 1500000 nodes/],
    [
      "an object of thousands of entries",
      `${EMPTY}x-a:\n${Array.from({ length: 10_001 }, (_, i) => `  a${i}: 1\n`).join("")}`,
      /More than 10000 entries/,
    ],
  ])("gives a diagnostic: %s", async (_, text, message) => {
    const found = await listDiagnostics(text);
    expect(found[0]).toMatch(message);
  });

  it("gives a diagnostic: a file above 64 MiB", async () => {
    expect(await listDiagnostics(`# ${"a".repeat(65 * 1024 * 1024)}`)).toEqual([
      expect.stringContaining("64 MiB"),
    ]);
  });
});
