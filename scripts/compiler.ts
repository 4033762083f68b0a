import { createRequire } from "node:module";
import type TypeScript from "typescript";

// Required, because importing a CommonJS package first searches its text for exports: 9 MB of TypeScript, as much
// work again as loading it.
const load = createRequire(import.meta.url);

/** The compiler, as openapi-typescript has it. */
export const compiler = load("typescript") as typeof TypeScript;
