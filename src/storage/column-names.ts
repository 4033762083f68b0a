/** Name of the field of a column, such as `createdTime` for `created_time`. */
type FieldName<Column extends string> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<FieldName<Rest>>}`
  : Column;

/** An entity with the columns of a row as fields, named in camel case. */
export type Entity<Row> = { readonly [Column in keyof Row & string as FieldName<Column>]: Row[Column] };

/** Converts the names of a row's columns to camel case. Leaves out the column `omit`. */
export function toCamelCase<Row extends object, Omitted extends keyof Row = never>(
  row: Row,
  options?: { readonly omit: Omitted },
): Entity<Omit<Row, Omitted>> {
  const fields = Object.entries(row)
    .filter(([column]) => column !== options?.omit)
    .map(([column, cell]) => [column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), cell]);
  // Safe cast: FieldName converts the names in the same way.
  return Object.fromEntries(fields) as Entity<Omit<Row, Omitted>>;
}

/** Name of the column of a field, such as `created_time` for `createdTime`. */
type ColumnName<Field extends string> = Field extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? `_${Lowercase<First>}` : First}${ColumnName<Rest>}`
  : "";

/** Converts the names of an entity's fields to snake case, as columns are named. The table must have a column for every field. */
export function toSnakeCase<Entity extends object>(entity: Entity) {
  const cells = Object.entries(entity).map(([field, value]) => [
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  // Safe cast: ColumnName converts the names in the same way.
  return Object.fromEntries(cells) as {
    [Field in keyof Entity & string as ColumnName<Field>]: Entity[Field];
  };
}
