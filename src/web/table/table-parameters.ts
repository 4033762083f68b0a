import type { DatabaseBody } from "../../operations/present/database.js";

/** Sort, filter, columns and position of a table, as in the query string of its address. Not validated against the database. */
export interface TableParameters {
  readonly sort: { readonly property: string; readonly direction: "ascending" | "descending" } | undefined;
  readonly filter:
    { readonly property: string; readonly condition: string; readonly value: string } | undefined;
  /** Property that the filter form shows as chosen, also without a filter. */
  readonly filterProperty: string | undefined;
  /** Names of the shown columns; undefined to show all. */
  readonly columns: readonly string[] | undefined;
  /** First shown row; undefined for the start of the table. */
  readonly position: Position | undefined;
}

interface Position {
  readonly cursor: string;
  /** Number of rows before it; undefined if the address does not have it. */
  readonly skipped: number | undefined;
}

/** Parses the query string of a table's address. */
export function parseTableParameters(query: URLSearchParams): TableParameters {
  const sort = query.get("sort");
  const direction = query.get("direction") === "descending" ? "descending" : "ascending";
  const filter = query.get("filter");
  const condition = query.get("condition") ?? "";
  const value = query.get("value")?.trim() ?? "";
  const cursor = query.get("cursor");
  const skipped = /^\d{1,9}$/.exec(query.get("skipped") ?? "")?.[0];
  // An empty search text clears the filter instead of matching all texts.
  const isFiltered = filter !== null && (!/^(does_not_)?contain/.test(condition) || value !== "");
  return {
    sort: sort === null ? undefined : { property: sort, direction },
    filter: isFiltered ? { property: filter, condition, value } : undefined,
    filterProperty: filter ?? undefined,
    columns: query.has("column") ? query.getAll("column") : undefined,
    position:
      cursor === null ? undefined : { cursor, skipped: skipped === undefined ? undefined : Number(skipped) },
  };
}

/** Formats the query string of a table's address. */
export function formatTableParameters({ sort, filter, columns, position }: Partial<TableParameters>): string {
  const parameters = new URLSearchParams();
  if (sort !== undefined) {
    parameters.set("sort", sort.property);
    parameters.set("direction", sort.direction);
  }
  if (filter !== undefined) {
    parameters.set("filter", filter.property);
    parameters.set("condition", filter.condition);
    parameters.set("value", filter.value);
  }
  for (const name of columns ?? []) parameters.append("column", name);
  if (position !== undefined) parameters.set("cursor", position.cursor);
  if (position?.skipped !== undefined) parameters.set("skipped", String(position.skipped));
  return parameters.toString();
}

/** Returns the names of the columns: the title first, the others in the order of the response. */
export function listColumns({ properties }: DatabaseBody): string[] {
  const names = Object.keys(properties);
  const isTitle = (name: string): boolean => properties[name]?.type === "title";
  return [...names.filter(isTitle), ...names.filter((name) => !isTitle(name))];
}

/** Restricts the columns of a table to those of the database, each once and in its order. The title is always shown. */
export function restrictColumns(parameters: TableParameters, database: DatabaseBody): TableParameters {
  if (parameters.columns === undefined) return parameters;
  const names = new Set(parameters.columns);
  const columns = listColumns(database).filter((name, index) => index === 0 || names.has(name));
  return { ...parameters, columns };
}
