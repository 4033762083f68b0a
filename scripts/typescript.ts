import { createRequire } from "node:module";
import type TypeScript from "typescript";

// Uses `require`, because importing a CommonJS package first parses its 9 MB for exports, which doubles the loading time.
const load = createRequire(import.meta.url);

/** The compiler API of TypeScript, which openapi-typescript also uses. */
export const typescript = load("typescript") as typeof TypeScript;
