import type { Position } from "./positions.js";
import type { Filled } from "./workspace.js";

/** A request that has an id in one position, and what else it needs to be a good one. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** The property of the test's database that has a value or condition of a type. */
const PROPERTIES: Record<string, string> = {
  title: "Name",
  rich_text: "Text",
  people: "Who",
  relation: "To",
  created_by: "Author",
  last_edited_by: "Editor",
  rollup: "Whos",
};

/** Valid path and body of an operation, without the position under test. */
function baseOf(
  { operation }: Position,
  { ids }: Filled,
): { path: Record<string, string>; body: object | undefined } {
  const path = {
    page_id:
      operation === "retrievePageProperty" || operation === "updatePage"
        ? (ids.databaseRow ?? "")
        : (ids.page ?? ""),
    database_id: ids.database ?? "",
    block_id:
      operation === "listBlockChildren" || operation === "appendBlockChildren"
        ? (ids.page ?? "")
        : (ids.block ?? ""),
    user_id: ids.user ?? "",
    property_id: "title",
  };
  const text = [{ text: { content: "x" } }];
  const bodies: Record<string, object> = {
    createPage: { parent: { database_id: ids.database }, properties: {} },
    updatePage: {},
    createDatabase: { parent: { page_id: ids.page }, properties: { Name: { title: {} } } },
    updateDatabase: {},
    queryDatabase: {},
    appendBlockChildren: { children: [{ divider: {} }] },
    updateBlock: { paragraph: { rich_text: text } },
    createComment: { parent: { page_id: ids.page }, rich_text: text },
    search: {},
  };
  return { path, body: bodies[operation] };
}

/** Makes the request of an operation with `id` in the position, as a user of the workspace `own` would. */
export function requestWith(position: Position, id: string, own: Filled): Request {
  const { place, path: steps, method, operation } = position;
  const { path, body } = baseOf(position, own);
  const query = new URLSearchParams();
  if (operation === "listComments") query.set("block_id", own.ids.page ?? "");
  let sent = body;
  if (place === "path") path[String(steps[0])] = id;
  else if (place === "query") query.set(String(steps[0]), id);
  else sent = bodyWith(position, id, own, path, body ?? {});
  const filled = position.template.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? "");
  const search = query.size > 0 ? `?${query.toString()}` : "";
  return { method, path: filled + search, body: sent };
}

/** The body with the id in its place. Adjusts the path too where the place asks for another object. */
function bodyWith(
  position: Position,
  id: string,
  own: Filled,
  path: Record<string, string>,
  base: object,
): object {
  const { operation, path: steps } = position;
  const names = steps.map((step) => (step === "*" ? memberName(position) : step));
  const [first, second] = names;
  const made = along(names, id) as Record<string, unknown>;
  if (first === "filter") named(made.filter, own);
  if (operation === "createComment" && first === "discussion_id") return { discussion_id: id, rich_text: [] };
  if (operation === "createComment" && first === "rich_text") return { ...base, ...made };
  if (operation === "updateBlock") {
    path.block_id = own.blocks[String(first)] ?? own.ids.block ?? "";
    complete(String(first), made[String(first)]);
    return made;
  }
  if (operation === "appendBlockChildren" && first === "children") {
    const [child] = made.children as Record<string, unknown>[];
    const [type, content] = Object.entries(child ?? {})[0] ?? [];
    if (type === "table_row") path.block_id = own.blocks.table ?? "";
    complete(String(type), content);
    return made;
  }
  if (operation === "createPage" && (first === "children" || first === "content")) {
    const [child] = made[first] as Record<string, unknown>[];
    const [type, content] = Object.entries(child ?? {})[0] ?? [];
    complete(String(type), content);
    return { ...base, ...made };
  }
  if ((operation === "createDatabase" || operation === "updateDatabase") && first === "properties") {
    const added = (made.properties as Record<string, Record<string, object>>)[String(second)];
    if (added?.relation) added.relation = { ...added.relation, single_property: {} };
    return {
      ...base,
      properties: { ...(base as { properties?: object }).properties, ...(made.properties as object) },
    };
  }
  return { ...base, ...made };
}

/** An object, or list, that has the value at the end of the names, and nothing besides. */
function along(names: readonly (string | 0)[], value: unknown): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  return name === 0 ? [along(rest, value)] : { [name]: along(rest, value) };
}

/** A name for the member of an object that may have any: the property that takes what comes next on the way. */
function memberName({ operation, path: steps }: Position): string {
  if (operation === "createDatabase" || operation === "updateDatabase") return "Added";
  const next = steps[steps.indexOf("*") + 1];
  // A bare list: its elements are text, or ids of pages.
  if (next === 0) return steps.includes("mention") ? "Text" : "To";
  return PROPERTIES[String(next)] ?? "Name";
}

/** Names the property in each condition of a filter. */
function named(filter: unknown, own: Filled): void {
  const condition = filter as Record<string, unknown>;
  for (const group of ["and", "or"]) {
    for (const member of (condition[group] as unknown[] | undefined) ?? []) named(member, own);
  }
  const type = Object.keys(condition).find((key) => key in PROPERTIES);
  if (type === undefined) return;
  const relates = type === "rollup" && JSON.stringify(condition).includes('"relation":');
  condition.property = relates ? "Backs" : PROPERTIES[type];
}

/** Adds to the content of a block what its type needs. */
function complete(type: string, content: unknown): void {
  const object = content as Record<string, unknown>;
  const needs: Record<string, object> = {
    bookmark: { url: "https://example.com/x" },
    embed: { url: "https://example.com/x" },
    code: { language: "c" },
  };
  for (const media of ["image", "video", "pdf", "audio", "file"]) {
    needs[media] = { external: { url: "https://example.com/x" } };
  }
  const written = [
    "paragraph",
    "bulleted_list_item",
    "numbered_list_item",
    "quote",
    "toggle",
    "to_do",
    "callout",
    "code",
    "template",
  ];
  if ([...written, "heading_1", "heading_2", "heading_3"].includes(type)) object.rich_text ??= [];
  for (const [name, value] of Object.entries(needs[type] ?? {})) object[name] ??= value;
}
