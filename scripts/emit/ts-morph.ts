import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";

// Required, because importing a CommonJS package first searches its text for exports: 9 MB here, as much work again
// as loading it.
export const { IndentationText, Project, StructureKind } = createRequire(import.meta.url)(
  "ts-morph",
) as typeof TsMorph;
