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
  // The cast: ColumnName converts the names in the same way.
  return Object.fromEntries(cells) as {
    [Field in keyof Entity & string as ColumnName<Field>]: Entity[Field];
  };
}
