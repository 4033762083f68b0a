import { expect } from "vitest";
import type { Compiler } from "../support/type-check.js";
import type { ForeignProject } from "./foreign-project.js";

/** Compiler options of a web project: only the types of browsers, with checks of the declarations of packages. */
const OPTIONS = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2022", "DOM"],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  // The compiler's own declarations take most of the time.
  skipDefaultLibCheck: true,
};

/** Creates a program for a web page. */
const createProgram = (client: string, types: string): string => `
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

/**
 * Type-checks a web page that uses the client, for Node's module resolution and a bundler's, without the types of Node.
 *
 * @param client Module of the client.
 * @param types Module of the document's types.
 */
export async function expectNoNodeTypes(
  project: ForeignProject,
  compiler: Compiler,
  client: string,
  types: string,
): Promise<void> {
  project.write("page/tsconfig.json", JSON.stringify({ compilerOptions: OPTIONS, include: ["."] }));
  project.write("page/page.ts", createProgram(client, types));
  expect(await project.compile(compiler, "--project", "page")).toEqual({ code: 0, text: "" });
  // A control: an import of Node types is the only error.
  project.write("page/node.ts", 'import type {} from "node:http";\n');
  const { text } = await project.compile(
    compiler,
    "--project",
    "page",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
  );
  expect(text).toMatch(/^page\/node\.ts\(1,21\): error .*'node:http'.*\n$/);
}
