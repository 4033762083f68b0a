import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { planAdapters } from "../../../scripts/adapters/plan.js";
import type { AdapterReport } from "../../../scripts/adapters/report.js";
import type { HttpMethod, Operation, OperationGroup } from "../../../scripts/model/model.js";

/** An operation of which only the parts that a stub shows matter. */
export function operation(
  name: string,
  summary = "",
  method: HttpMethod = "get",
  route = "/v1/pages/{page_id}",
): Operation {
  return {
    id: name,
    name,
    typeName: name[0]?.toUpperCase() + name.slice(1),
    method,
    path: route,
    route,
    routePattern: undefined,
    conditions: [],
    summary,
    description: "",
    deprecated: false,
    safe: false,
    parameters: [],
    body: undefined,
    responses: [],
    callbacks: [],
    security: [],
    servers: [],
  };
}

/** A group named as its tag, e.g. `pages` with `PagesHandlers`. */
export function group(name: string, ...operations: (Operation | string)[]): OperationGroup {
  return {
    tag: name,
    name,
    interfaceName: `${name[0]?.toUpperCase()}${name.slice(1)}Handlers`,
    operations: operations.map((one) => (typeof one === "string" ? operation(one) : one)),
  };
}

/** Retrieve, create, and archive, which the adapters in most tests go without. */
export const pages = group(
  "pages",
  operation("retrievePage", "Retrieve a page"),
  operation("createPage", "Create a page", "post", "/v1/pages"),
  operation("archivePage", "Archive a page", "patch"),
);

/** Source of routes.ts for some groups, as far as adapters see it. */
function routesSource(groups: OperationGroup[]): string {
  const interfaces = groups.map(
    ({ interfaceName, operations }) =>
      `export interface ${interfaceName}<Context, SuppliedHeaders extends string = never> {\n` +
      operations
        .map(
          ({ name }) =>
            `  ${name}(request: { path: { page_id: string }; headers: Partial<Record<SuppliedHeaders, string>> }, context: Context): Promise<{ status: 200; body: { id: string } } | { status: 404 }>;\n`,
        )
        .join("") +
      "}\n",
  );
  const all = groups.map(
    ({ name, interfaceName }) => `  ${name}: ${interfaceName}<Context, SuppliedHeaders>;\n`,
  );
  interfaces.push(
    `export interface Handlers<Context, SuppliedHeaders extends string = never> {\n${all.join("")}}\n`,
  );
  return interfaces.join("\n");
}

export interface Folder {
  root: string;
  /** The adapters' folder. */
  dir: string;
  routes: string;
  plan(groups?: OperationGroup[]): Promise<AdapterReport>;
  read(name: string): Promise<string>;
}

/** A folder `src/adapters` with files, beside a `generated/routes.ts`; gone after the test. */
export async function folderWith(
  files: Record<string, string | Uint8Array>,
  groups: OperationGroup[] = [pages],
): Promise<Folder> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), "adapters-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const dir = path.join(root, "src", "adapters");
  const routes = path.join(root, "generated", "routes.ts");
  await mkdir(dir, { recursive: true });
  await mkdir(path.dirname(routes), { recursive: true });
  await writeFile(routes, routesSource(groups));
  await writeFile(path.join(root, "package.json"), '{ "type": "module" }\n');
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
  return {
    root,
    dir,
    routes,
    plan: (planned = groups) => planAdapters(planned, dir, routes),
    read: (name) => readFile(path.join(dir, name), "utf8"),
  };
}

/** Plans for one file `pages.ts` and returns its new text, or the old one when nothing is to be done. */
export async function planned(text: string, groups: OperationGroup[] = [pages]) {
  const folder = await folderWith({ "pages.ts": text }, groups);
  const report = await folder.plan();
  return { folder, report, content: report.edits[0]?.content ?? text };
}
