/** Name of the column of a field, such as `created_time` for `createdTime`. */
type ColumnName<Field extends string> = Field extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? `_${Lowercase<First>}` : First}${ColumnName<Rest>}`
  : "";

/** Maps an entity to a row, whose columns have the same names in snake case. Every field must have a column. */
export function toRow<Entity extends object>(entity: Entity) {
  const cells = Object.entries(entity).map(([field, value]) => [
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  // The cast: ColumnName converts the names in the same way.
  return Object.fromEntries(cells) as {
    [Field in keyof Entity & string as ColumnName<Field>]: Entity[Field];
  };
}
