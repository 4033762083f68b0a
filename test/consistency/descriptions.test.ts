import { expect, test } from "vitest";
import { ApiDocument } from "../support/api-document.js";

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

// The cast: the committed document has these components.
const { components } = ApiDocument.committed().root as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

function isDescribed({ description, $ref }: Schema): boolean {
  const target = $ref === undefined ? undefined : components.schemas[$ref.split("/").at(-1) ?? ""];
  return description !== undefined || (target !== undefined && isDescribed(target));
}

/** Lists the fields of a schema without a description. The parts of an allOf refine fields that are described elsewhere. */
function findUndescribed(path: string, { properties = {}, items, oneOf = [], anyOf = [] }: Schema): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(isDescribed(field) ? [] : [`${path}.${name}`]),
      ...findUndescribed(`${path}.${name}`, field),
    ]),
    ...[...(items ? [items] : []), ...oneOf, ...anyOf].flatMap((part) => findUndescribed(path, part)),
  ];
}

test("every field of a schema has a description", () => {
  const schemas = Object.entries(components.schemas);
  expect(schemas.length).toBeGreaterThan(200);
  expect(schemas.flatMap(([name, schema]) => findUndescribed(name, schema))).toEqual([]);
});
