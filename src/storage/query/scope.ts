import { sql, type RawBuilder } from "kysely";

/** A piece of SQL with its parameters. */
export type Fragment = RawBuilder<unknown>;

/** What the pieces of one statement share. */
export class Scope {
  #aliases = 0;

  constructor(readonly workspaceId: string) {}

  /** A name for a table that no other place of the statement uses. */
  alias(prefix: string): string {
    this.#aliases += 1;
    return `${prefix}${this.#aliases}`;
  }
}

/** `a and b and c`; true when there are none. */
export function allOf(parts: readonly Fragment[]): Fragment {
  return parts.length === 0 ? sql`1 = 1` : sql`(${sql.join([...parts], sql` and `)})`;
}

/** `a or b or c`; false when there are none. */
export function anyOf(parts: readonly Fragment[]): Fragment {
  return parts.length === 0 ? sql`1 = 0` : sql`(${sql.join([...parts], sql` or `)})`;
}

/**
 * Whether there is a row.
 *
 * @param from what stands after FROM
 */
export function existsSql(from: Fragment): Fragment {
  // The offset keeps PostgreSQL from joining all that there is, when it is about the values of single pages.
  return sql`exists (select 1 from ${from} limit 1 offset 0)`;
}
