import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ForeignProject } from "./foreign-project.js";

/** A program for a web page. */
const program = (client: string, types: string): string => `
import { createClient, filter, isPageServiceError, paginate, type RetrievePageResponse } from "${client}";
import type { components } from "${types}";

const client = createClient({ baseUrl: "https://pages.example", apiKey: "ps_key" });
export type Page = components["schemas"]["Page"];
export type Status = RetrievePageResponse["status"];

export async function links(database_id: string): Promise<string[]> {
  const found: string[] = [];
  const request = { path: { database_id }, body: { filter: filter.checkbox("Done").equals(true) } };
  try {
    for await (const page of paginate(client.queryDatabase, request)) found.push(page.url);
  } catch (error) {
    if (!isPageServiceError(error, "object_not_found")) throw error;
  }
  return found;
}
`;

/** The settings of a web page's project: what browsers have and nothing else, and every declaration is looked at. */
const OPTIONS = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2022", "DOM"],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
};
const RESOLUTIONS = [[], ["--module", "esnext", "--moduleResolution", "bundler"]];

let packed: string;
let tarballs: { whole: string; client: string };
beforeAll(async () => {
  packed = mkdtempSync(path.join(tmpdir(), "page-service-packed-"));
  const pack = (source: string): Promise<string> =>
    ForeignProject.pack(mkdtempSync(path.join(packed, "one-")), source);
  tarballs = { whole: await pack("."), client: await pack("./dist/client-package") };
});
afterAll(() => rmSync(packed, { recursive: true, force: true }));

// TypeScript 7 is itself in optional dependencies: beside it there would be the service's as well, and what those bring.
test.for([
  {
    typescript: "typescript@5.9.3",
    from: "whole",
    client: "page-service/client",
    types: "page-service/types",
  },
  {
    typescript: "typescript@7.0.2",
    from: "client",
    client: "page-service-client",
    types: "page-service-client/types",
  },
] as const)(
  "a web page's project needs no types of Node's for $client, with $typescript",
  async ({ typescript, from, client, types }, context) => {
    const project = new ForeignProject();
    onTestFinished(() => project.remove());
    const omitted = from === "whole" ? ["--omit=optional"] : [];
    const unreachable = await project.npmInstall(...omitted, tarballs[from], typescript);
    if (unreachable !== undefined && process.env.CI) throw new Error(unreachable);
    if (unreachable !== undefined) return context.skip(unreachable);
    project.write("tsconfig.json", JSON.stringify({ compilerOptions: OPTIONS, include: ["src"] }));
    project.write("src/page.ts", program(client, types));
    for (const resolution of RESOLUTIONS) {
      expect(await project.tsc(...resolution)).toEqual({ code: 0, text: "" });
    }
    // Types of Node would be reported.
    project.write("src/node.ts", 'import type {} from "node:http";\n');
    expect((await project.tsc()).text).toContain("node:http");
  },
);
