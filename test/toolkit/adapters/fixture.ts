import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { planAdapters, type AdapterPlan } from "../../../scripts/adapters/plan.js";
import type { HttpMethod, Operation, OperationGroup } from "../../../scripts/model/model.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

/** Creates an operation for stubs; the other parts have placeholder values. */
export function operation(
  name: string,
  summary = "",
  method: HttpMethod = "get",
  route = "/v1/pages/{page_id}",
): Operation {
  return {
    pointer: "",
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
    tags: [],
    extensions: {},
    parameters: [],
    body: undefined,
    responses: [],
    callbacks: [],
    security: [],
    servers: [],
  };
}

/** Creates a group with the name of its tag, e.g. `pages` with `PagesHandlers`. */
export function group(name: string, ...operations: (Operation | string)[]): OperationGroup {
  return {
    tag: name,
    description: "",
    name,
    interfaceName: `${name[0]?.toUpperCase()}${name.slice(1)}Handlers`,
    operations: operations.map((one) => (typeof one === "string" ? operation(one) : one)),
  };
}

/** The operations retrieve, create, and archive, which is missing in the adapters of most tests. */
export const pages = group(
  "pages",
  operation("retrievePage", "Retrieve a page"),
  operation("createPage", "Create a page", "post", "/v1/pages"),
  operation("archivePage", "Archive a page", "patch"),
);

/** Prints the part of routes.ts that adapters import. */
function printRoutes(groups: OperationGroup[]): string {
  const interfaces = groups.map(
    ({ interfaceName, operations }) =>
      `export interface ${interfaceName}<Context, SuppliedHeaders extends string = never> {\n` +
      operations
        .map(
          ({ name }) =>
            `  ${name}: (request: { path: { page_id: string }; headers: Partial<Record<SuppliedHeaders, string>> }, context: Context) => Promise<{ status: 200; body: { id: string } } | { status: 404 }>;\n`,
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
  /** The folder of the adapters. */
  dir: string;
  routes: string;
  plan(groups?: OperationGroup[]): Promise<AdapterPlan>;
  read(name: string): Promise<string>;
}

/** Creates a folder `src/adapters` with files, next to `generated/routes.ts`. It is removed after the test. */
export async function createAdapterFolder(
  files: Record<string, string | Uint8Array>,
  groups: OperationGroup[] = [pages],
): Promise<Folder> {
  const root = createTemporaryFolder();
  const dir = path.join(root, "src", "adapters");
  const routes = path.join(root, "generated", "routes.ts");
  await mkdir(dir, { recursive: true });
  await mkdir(path.dirname(routes), { recursive: true });
  await writeFile(routes, printRoutes(groups));
  await writeFile(path.join(root, "package.json"), '{ "type": "module" }\n');
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
  return {
    root,
    dir,
    routes,
    plan: (planText = groups) => planAdapters(planText, dir, routes),
    read: (name) => readFile(path.join(dir, name), "utf8"),
  };
}

/** Applies the plan for one file `pages.ts`, and returns its new or unchanged text. */
export async function planText(text: string, groups: OperationGroup[] = [pages]) {
  const folder = await createAdapterFolder({ "pages.ts": text }, groups);
  const report = await folder.plan();
  return { folder, report, content: report.edits[0]?.content ?? text };
}

/** Returns the warning about a handler that its interface no longer has. */
export function createOrphanMessage(name: string, interfaceName = "PagesHandlers"): string {
  return `Orphaned handler "${name}": the document no longer has it in ${interfaceName}. Remove or rename it.`;
}

/** Returns the warning about handlers that may be defined out of sight. */
export function createHiddenMessage(interfaceName: string, ...names: string[]): string {
  const handlers = names.map((name) => `"${name}"`).join(", ");
  return `The handlers ${handlers} may be defined here, so no stubs are added. Define them in an object or class with the type annotation ${interfaceName}, imported by name.`;
}
