import { belongsToWorkspace, TABLE_NAMES } from "../../src/storage/tables.js";

/** A token of SQL, or the tokens in parentheses. */
type Part = string | Part[];

/** A table, a subquery or the parameters of a statement. */
interface Source {
  /** Name of a table whose rows belong to workspaces. */
  readonly table?: string;
  /** Sources whose rows belong to the same workspace. */
  readonly linked: Set<Source>;
}

/** Sources of a query by alias, and the query around it. */
interface Scope {
  readonly sources: Map<string, Source>;
  readonly outer: Scope | undefined;
}

const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\$\d+|\w+|[<>!]=|<>|\S/g;
const PARAMETER = /^(?:\?|\$\d+)$/;
/** Tokens after a source that has no alias. */
const NO_ALIAS =
  /^(?:\W|(?:on|using|where|set|group|order|limit|offset|left|inner|cross|join|indexed|returning)$)/;
const TENANT_TABLES: ReadonlySet<string> = new Set(TABLE_NAMES.filter(belongsToWorkspace));

/**
 * Finds the tables in a SELECT, UPDATE or DELETE whose rows can be those of any workspace, because no equation restricts their
 * `workspace_id` to a parameter, or to that of another table with such an equation. Assumes that AND joins the conditions.
 */
export function findUnrestrictedTables(sql: string): string[] {
  const all: Source[] = [];
  const parameters: Source = { linked: new Set() };
  const rowsOfQueries = new Map<Part[], Source>();
  readQuery(parseParts(sql), undefined);
  const restricted = new Set([parameters]);
  for (const source of restricted) for (const next of source.linked) restricted.add(next);
  return all.flatMap((source) => (restricted.has(source) ? [] : (source.table ?? [])));

  /** Returns the source for the rows of a query. */
  function readQuery(parts: Part[], outer: Scope | undefined): Source {
    const known = rowsOfQueries.get(parts);
    if (known !== undefined) return known;
    const rows: Source = { linked: new Set() };
    rowsOfQueries.set(parts, rows);
    const named: Scope = { sources: new Map(), outer };
    const begin = parts[0] === "with" ? readCommonTables(parts, named) : 0;
    const selects = splitUnion(parts.slice(begin)).map((select) =>
      readSelect(select, { sources: new Map(), outer: named }),
    );
    for (const first of selects) {
      rows.linked.add(first);
      if (selects.length === 1) first.linked.add(rows);
    }
    return rows;
  }

  /** Reads `with NAME (COLUMNS) as (QUERY), …`, and returns the index behind it. */
  function readCommonTables(parts: Part[], scope: Scope): number {
    let end = 0;
    do {
      end += parts[end + 1] === "recursive" ? 2 : 1;
      const rows: Source = { linked: new Set() };
      scope.sources.set(String(parts[end]), rows);
      end = parts.indexOf("as", end);
      while (!Array.isArray(parts[end])) end += 1;
      const query = parts[end];
      if (Array.isArray(query)) link(rows, readQuery(query, scope));
      end += 1;
    } while (parts[end] === ",");
    return end;
  }

  /** Returns the source of the column `workspace_id` of the rows: the first one. */
  function readSelect(parts: Part[], scope: Scope): Source {
    let isInFrom = false;
    for (const [index, part] of parts.entries()) {
      const begins = part === "from" || part === "join" || part === "update";
      if (begins) isInFrom = !["distinct", "do"].includes(String(parts[index - 1]));
      else if (part === "on" || part === "where" || part === "set" || part === "order") isInFrom = false;
      else if (part !== ",") continue;
      if (!isInFrom) continue;
      const at = parts[index + 1] === "lateral" ? index + 2 : index + 1;
      const [name, ...rest] = parts.slice(at, at + 4);
      if (name === undefined) continue;
      const isFunction = Array.isArray(rest[0]);
      const alias = rest.find((each) => typeof each === "string" && each !== "as");
      const source = Array.isArray(name)
        ? readQuery(name, scope)
        : ((isFunction ? undefined : findSource(scope.outer, name)) ?? createTable(name));
      all.push(source);
      scope.sources.set(String(alias === undefined || NO_ALIAS.test(String(alias)) ? name : alias), source);
    }
    readConditions(parts, scope);
    return findSource({ ...scope, outer: undefined }) ?? { linked: new Set() };
  }

  function createTable(name: string): Source {
    return TENANT_TABLES.has(name) ? { table: name, linked: new Set() } : { linked: new Set() };
  }

  function readConditions(parts: Part[], scope: Scope): void {
    for (const [index, part] of parts.entries()) {
      if (Array.isArray(part)) {
        if (isQuery(part)) readQuery(part, scope);
        else readConditions(part, scope);
      }
      const operator = parts[index + 1];
      // A range of rows ends with the key that it begins with, in all columns but the last.
      const isRange = operator === "<=" && Array.isArray(part);
      if (operator === "=" || operator === "in" || isRange)
        link(readValue(parts, index, scope), readValue(parts, index + 2, scope));
    }
  }

  /** Returns the source of a parameter or a column `workspace_id`, or of a row or subquery that begins with one. */
  function readValue(parts: Part[], index: number, scope: Scope): Source | undefined {
    const part = parts[index];
    if (Array.isArray(part)) return isQuery(part) ? readQuery(part, scope) : readValue(part, 0, scope);
    if (part === undefined) return undefined;
    if (PARAMETER.test(part)) return parameters;
    if (parts[index + 1] === ".")
      return parts[index + 2] === "workspace_id" ? findSource(scope, part) : undefined;
    if (part !== "workspace_id") return undefined;
    return findSource(scope, parts[index - 1] === "." ? String(parts[index - 2]) : undefined);
  }
}

function link(one: Source | undefined, other: Source | undefined): void {
  if (one === undefined || other === undefined) return;
  one.linked.add(other);
  other.linked.add(one);
}

/** Finds a source by its alias or, without one, the innermost source, preferably a table. */
function findSource(scope: Scope | undefined, alias?: string): Source | undefined {
  if (scope === undefined) return undefined;
  const sources = [...scope.sources.values()];
  const found =
    alias === undefined
      ? (sources.find(({ table }) => table !== undefined) ?? sources[0])
      : scope.sources.get(alias);
  return found ?? findSource(scope.outer, alias);
}

function isQuery([first]: Part[]): boolean {
  return first === "select" || first === "with" || (Array.isArray(first) && isQuery(first));
}

/** Splits a query into the SELECTs that UNION joins. */
function splitUnion(parts: Part[]): Part[][] {
  const end = parts.indexOf("union");
  return end === -1 ? [parts] : [parts.slice(0, end), ...splitUnion(parts.slice(end + 1))];
}

function parseParts(sql: string): Part[] {
  let parts: Part[] = [];
  const outer: Part[][] = [];
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === "(") {
      outer.push(parts);
      parts = [];
      outer.at(-1)?.push(parts);
    } else if (token === ")") parts = outer.pop() ?? [];
    else parts.push(token.startsWith('"') ? token.slice(1, -1) : token.toLowerCase());
  }
  return parts;
}
