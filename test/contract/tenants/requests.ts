import type { Position } from "./positions.js";
import type { Filled } from "./workspace.js";

/** A valid request with an id in one position. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Names of the properties of the test database by type of value or condition. */
const PROPERTIES: Record<string, string> = {
  title: "Name",
  rich_text: "Text",
  people: "Who",
  relation: "To",
  created_by: "Author",
  last_edited_by: "Editor",
  rollup: "Whos",
};

/** Creates a valid path and body of an operation, without the position under test. */
function createBase(
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

/** Creates the request of an operation with `id` in the position and other ids of the workspace `own`. */
export function createRequest(position: Position, id: string, own: Filled): Request {
  const { place, path: steps, method, operation } = position;
  const { path, body } = createBase(position, own);
  const query = new URLSearchParams();
  if (operation === "listComments") query.set("block_id", own.ids.page ?? "");
  let sent = body;
  if (place === "path") path[String(steps[0])] = id;
  else if (place === "query") query.set(String(steps[0]), id);
  else sent = createBody(position, id, own, path, body ?? {});
  const filled = position.template.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? "");
  const search = query.size > 0 ? `?${query.toString()}` : "";
  return { method, path: filled + search, body: sent };
}

/** Creates the body with the id in its position. Changes the path if the position requires another object. */
function createBody(
  position: Position,
  id: string,
  own: Filled,
  path: Record<string, string>,
  base: object,
): object {
  const { operation, path: steps } = position;
  const names = steps.map((step) => (step === "*" ? chooseMemberName(position) : step));
  const [first, second] = names;
  const made = nestValue(names, id) as Record<string, unknown>;
  if (first === "filter") setProperties(made.filter, own);
  if (operation === "createComment" && first === "discussion_id") return { discussion_id: id, rich_text: [] };
  if (operation === "createComment" && first === "rich_text") return { ...base, ...made };
  if (operation === "updateBlock") {
    path.block_id = own.blocks[String(first)] ?? own.ids.block ?? "";
    addRequiredMembers(String(first), made[String(first)]);
    return made;
  }
  if (operation === "appendBlockChildren" && first === "children") {
    const [child] = made.children as Record<string, unknown>[];
    const [type, content] = Object.entries(child ?? {})[0] ?? [];
    if (type === "table_row") path.block_id = own.blocks.table ?? "";
    addRequiredMembers(String(type), content);
    return made;
  }
  if (operation === "createPage" && (first === "children" || first === "content")) {
    const [child] = made[first] as Record<string, unknown>[];
    const [type, content] = Object.entries(child ?? {})[0] ?? [];
    addRequiredMembers(String(type), content);
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

/** Creates nested objects and lists with the value at the end of the names. */
function nestValue(names: readonly (string | 0)[], value: unknown): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  return name === 0 ? [nestValue(rest, value)] : { [name]: nestValue(rest, value) };
}

/** Chooses the name for an arbitrary member of an object: the property that accepts the next name. */
function chooseMemberName({ operation, path: steps }: Position): string {
  if (operation === "createDatabase" || operation === "updateDatabase") return "Added";
  const next = steps[steps.indexOf("*") + 1];
  // The elements of a bare list are texts or ids of pages.
  if (next === 0) return steps.includes("mention") ? "Text" : "To";
  return PROPERTIES[String(next)] ?? "Name";
}

/** Sets the property in each condition of a filter. */
function setProperties(filter: unknown, own: Filled): void {
  const condition = filter as Record<string, unknown>;
  for (const group of ["and", "or"]) {
    for (const member of (condition[group] as unknown[] | undefined) ?? []) setProperties(member, own);
  }
  const type = Object.keys(condition).find((key) => key in PROPERTIES);
  if (type === undefined) return;
  const relates = type === "rollup" && JSON.stringify(condition).includes('"relation":');
  condition.property = relates ? "Backs" : PROPERTIES[type];
}

/** Adds the required members of its type to the content of a block. */
function addRequiredMembers(type: string, content: unknown): void {
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
