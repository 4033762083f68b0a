import { type Json, type JsonObject, type Schema, isObject, own } from "./json.js";

/** The property that names the branch of a union, and the names of each branch. */
export interface Discriminator {
  property: string;
  names: (branch: Schema) => string[];
}

/** Reads the `discriminator` of a union. */
export function readDiscriminator(schema: JsonObject): Discriminator | undefined {
  const property = own(schema.discriminator, "propertyName");
  const mapping = own(schema.discriminator, "mapping");
  if (typeof property !== "string") return undefined;
  const names = (branch: Schema): string[] => {
    const ref = own(branch, "$ref");
    if (typeof ref !== "string") return [];
    const short = ref.slice(ref.lastIndexOf("/") + 1);
    const mapped = Object.entries(isObject(mapping) ? mapping : {})
      .filter(([, target]) => target === ref || target === short)
      .map(([name]) => name);
    return mapped.length > 0 ? mapped : [short];
  };
  return { property, names };
}

/** Whether a value names this branch of its union. */
export function isNamed(union: JsonObject, branch: Schema, value: Json): boolean {
  const discriminator = readDiscriminator(union);
  const tag = discriminator && own(value, discriminator.property);
  return typeof tag === "string" && discriminator?.names(branch).includes(tag) === true;
}
