import type { Case } from "./cases/case.js";
import { COMPOSED } from "./cases/composition.js";
import { DISCRIMINATED, HIERARCHY } from "./cases/discriminators.js";
import { LISTS } from "./cases/lists.js";
import { OBJECTS } from "./cases/objects.js";
import { RECURSIVE, REFERENCES } from "./cases/references.js";
import { NULLABLE, SCALARS } from "./cases/values.js";

/** Every schema whose type and validator are compared. */
export const CASES: Case[] = [
  ...SCALARS,
  ...NULLABLE,
  ...OBJECTS,
  ...LISTS,
  ...COMPOSED,
  ...DISCRIMINATED,
  ...HIERARCHY,
  ...RECURSIVE,
  ...REFERENCES,
];
