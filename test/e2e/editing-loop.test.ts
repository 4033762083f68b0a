import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uncheckedFetch } from "../support/checked-responses.js";
import { Project } from "./project.js";
import { serve } from "./serve.js";

const ADAPTER = "src/adapters/pages.ts";
/** The use case that the new operation calls. */
const USE_CASE = "src/operations/copy-page.ts";
/** The module that presents pages in responses. */
const VIEW = "src/operations/present/page.ts";

const COPY_OPERATION = `copies:
  parameters:
    - name: page_id
      in: path
      required: true
      description: Identifier of the page to copy.
      schema: { $ref: "common.yaml#/schemas/IdInput" }
  post:
    operationId: copyPage
    summary: Copy a page
    description: Creates a page with the properties of another one and answers with it.
    tags: [Pages]
    responses:
      "200": { $ref: "#/responses/Page" }
      "400": { $ref: "common.yaml#/responses/BadRequest" }
      "401": { $ref: "common.yaml#/responses/Unauthorized" }
      "404": { $ref: "common.yaml#/responses/NotFound" }
      "409": { $ref: "common.yaml#/responses/Conflict" }
      "429": { $ref: "common.yaml#/responses/RateLimited" }
      "500": { $ref: "common.yaml#/responses/InternalServerError" }
      "503": { $ref: "common.yaml#/responses/ServiceUnavailable" }

`;

const COPY_PATH = `  /v1/pages/{page_id}/copies:
    $ref: pages.yaml#/copies
`;

const STUB = `
  /** POST /v1/pages/{page_id}/copies: Copy a page */
  async copyPage(_request, _context) {
    throw Object.assign(new Error("copyPage is not implemented"), { status: 501 });
  },
`;

const COPY_HANDLER = `
  /** POST /v1/pages/{page_id}/copies: Copy a page */
  async copyPage(request, { write }) {
    return write(request, async (scope) => createPageResponse(await copyPage(scope, request.path.page_id)));
  },
`;

/** The imports of the adapter before and after the change. */
const IMPORT = 'import { createPage } from "../operations/create-page.js";';
const COPY_IMPORT = `import { copyPage } from "../operations/copy-page.js";\n${IMPORT}`;

const COPY_PAGE = `
import { normalizeId } from "../domain/ids.js";
import { insertPage } from "../storage/pages/pages.js";
import { requirePage } from "./load/pages-and-databases.js";
import { type PageResult, presentPage } from "./present/page.js";
import type { WriteScope } from "./execution/scope.js";

export async function copyPage(scope: WriteScope, pageId: string): Promise<PageResult> {
  const found = await requirePage(scope, normalizeId(pageId));
  const page = { ...found.page, id: crypto.randomUUID() };
  await insertPage(scope, page);
  return presentPage(scope, { ...found, page });
}
`;

/** A program that copies a page with the regenerated client. */
const PROGRAM = `
import { createClient } from "./src/client/index.js";
const [baseUrl = "", apiKey = "", database_id = ""] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey });
const properties = { Title: { title: [{ text: { content: "Plans" } }] } };
const { body: page } = await client.createPage({ body: { parent: { database_id }, properties } });
const { body: copy, headers } = await client.copyPage({ path: { page_id: page.id } });
const title = copy.properties.Title;
console.log(JSON.stringify({
  differs: copy.id !== page.id,
  title: title?.type === "title" ? title.title[0]?.plain_text : undefined,
  version: copy.version + 0,
  remaining: headers["X-RateLimit-Remaining"] + 0,
}));
`;

describe("the editing loop, on a copy of the project", () => {
  let project: Project;
  let adapterBefore: string;

  beforeAll(() => {
    project = new Project();
    adapterBefore = project.read(ADAPTER);
  });
  afterAll(() => project.remove());

  test("starts up to date", async () => {
    expect(await project.generateBuilt("--check")).toMatchObject({ code: 0 });
  });

  test("after adding an operation and a required response field, --check names the files and the command", async () => {
    project.replace("spec/openapi.yaml", "components:\n", `${COPY_PATH}components:\n`);
    project.replace("spec/pages.yaml", "responses:\n  Page:\n", `${COPY_OPERATION}responses:\n  Page:\n`);
    project.replace("spec/pages.yaml", "      - public_url\n", "      - public_url\n      - version\n");
    project.replace(
      "spec/pages.yaml",
      "      in_trash: { type: boolean, description: Whether the page is in the trash. }\n      properties:\n",
      "      in_trash: { type: boolean, description: Whether the page is in the trash. }\n      version: { type: integer, description: Counts the edits. }\n      properties:\n",
    );
    // Adds it to the examples of a page and of query results.
    const page = "              public_url: null\n";
    project.replace("spec/pages.yaml", page, `${page}              version: 1\n`);
    const result = `        ${page}`;
    project.replace("spec/databases.yaml", result, `${result}                      version: 1\n`);
    const generatedBefore = project.read("generated/routes.ts");

    const { code, text } = await project.generate("--check");
    expect(code).toBe(1);
    for (const file of [
      "types.ts",
      "routes.ts",
      "operations.ts",
      "validators.js",
      "openapi.json",
      "manifest.json",
    ]) {
      expect(text).toContain(`changed  generated/${file}`);
    }
    expect(text).toContain(`changed  ${ADAPTER}: handler copyPage`);
    expect(text).toContain("Run: npm run generate\n");
    expect(project.read("generated/routes.ts")).toBe(generatedBefore);
    expect(project.read(ADAPTER)).toBe(adapterBefore);
  });

  test("generate updates the files; the adapter gets a stub and keeps every other byte", async () => {
    const { code, text } = await project.generateBuilt();
    expect(code, text).toBe(0);
    expect(text).toContain(`changed  ${ADAPTER}: handler copyPage`);
    expect(project.read("generated/routes.ts")).toContain('router.post(\n    "/v1/pages/:page_id/copies"');

    const adapter = project.read(ADAPTER);
    expect(adapter).toContain(STUB);
    expect(adapter.replace(STUB, "")).toBe(adapterBefore);
    expect(await project.generateBuilt("--check")).toMatchObject({ code: 0 });
  });

  test("the type checker reports the location of the missing field", async () => {
    const { code, text } = await project.types();
    expect(code).not.toBe(0);
    const lines = project.read(VIEW).split("\n");
    // The object without the field starts on the line before its first member.
    const line = lines.findIndex((each) => each.includes('object: "page",'));
    expect(text).toContain(`${VIEW}(${line},3): error TS2741: Property 'version' is missing`);
    expect(text.match(/error TS/g), text).toHaveLength(1);
  });

  test("the stub responds with 501 until it is implemented", async () => {
    const { baseUrl, key } = await serve(project.folder);
    const response = await uncheckedFetch(`${baseUrl}/v1/pages/${crypto.randomUUID()}/copies`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({
      object: "error",
      status: 501,
      message: "copyPage is not implemented",
    });
  });

  test("after implementing both, types, --check and a call through the regenerated client succeed", async () => {
    project.write(USE_CASE, COPY_PAGE);
    project.replace(ADAPTER, STUB, COPY_HANDLER);
    project.replace(ADAPTER, IMPORT, COPY_IMPORT);
    project.replace(VIEW, "    public_url: null,\n", "    public_url: null,\n    version: 1,\n");
    project.write("copy.ts", PROGRAM);
    expect(await project.types()).toEqual({ code: 0, text: "" });
    expect(await project.generateBuilt("--check")).toMatchObject({ code: 0 });

    const { baseUrl, key, databaseId } = await serve(project.folder);
    const { code, text } = await project.node("--import", "tsx", "copy.ts", baseUrl, key, databaseId);
    expect(code, text).toBe(0);
    expect(JSON.parse(text)).toEqual({ differs: true, title: "Plans", version: 1, remaining: 998 });
  });

  test("after removing the operation, its handler is reported as orphaned and kept", async () => {
    project.write("copy.ts", "");
    project.replace("spec/openapi.yaml", COPY_PATH, "");
    project.replace("spec/pages.yaml", COPY_OPERATION, "");
    const adapter = project.read(ADAPTER);
    const line = adapter.split("\n").findIndex((each) => each.includes("async copyPage(")) + 1;

    const { code, text } = await project.generateBuilt();
    expect(code, text).toBe(0);
    expect(text).toContain(
      `${ADAPTER}:${line}:9  warning  Orphaned handler "copyPage": the document no longer has it in PagesHandlers`,
    );
    expect(project.read(ADAPTER)).toBe(adapter);
    expect(await project.generateBuilt("--check")).toMatchObject({ code: 1 });
    expect((await project.types()).text).toContain(`${ADAPTER}(${line},9): error TS2353`);

    project.replace(ADAPTER, COPY_HANDLER, "");
    project.replace(ADAPTER, COPY_IMPORT, IMPORT);
    expect(await project.generateBuilt("--check")).toMatchObject({ code: 0 });
  });

  test("a new tag gets its own registered adapter, and everything compiles", async () => {
    project.replace(
      "spec/openapi.yaml",
      "  - name: Databases\n",
      "  - name: Copies\n    description: Copies of pages.\n  - name: Databases\n",
    );
    project.replace("spec/openapi.yaml", "components:\n", `${COPY_PATH}components:\n`);
    project.replace(
      "spec/pages.yaml",
      "responses:\n  Page:\n",
      `${COPY_OPERATION.replace("tags: [Pages]", "tags: [Copies]")}responses:\n  Page:\n`,
    );
    const { code, text } = await project.generateBuilt();
    expect(code, text).toBe(0);
    expect(text).toContain("added    src/adapters/copies.ts: handler copyPage");
    expect(text).toMatch(/^ {2}changed {2}src\/adapters\/index\.ts$/m);
    expect(project.read("src/adapters/index.ts")).toContain("copies: copiesHandlers,");
    expect(await project.types()).toEqual({ code: 0, text: "" });
  });

  test("the docs of a document with an error are not built, and the error has its location", async () => {
    project.replace("spec/openapi.yaml", "users.yaml#/item", "users.yaml#/unknown");
    const { code, text } = await project.node("--import", "tsx", "scripts/project/docs/build.ts");
    expect(code).toBe(2);
    expect(text).toMatch(/^spec\/openapi\.yaml:\d+:\d+ {2}error {2}/m);
    expect(text).not.toContain("    at ");
  });
});
