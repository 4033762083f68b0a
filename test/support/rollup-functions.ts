import { readFileSync } from "node:fs";
import type { RollupFunction } from "../../src/domain/schema.js";

const file = new URL("../../generated/openapi.json", import.meta.url);
// The cast: declares only the part of the OpenAPI document that lists the functions.
const { components } = JSON.parse(readFileSync(file, "utf8")) as {
  components: { schemas: { RollupFunction: { enum: RollupFunction[] } } };
};

/** Every function of rollups, in the order of the OpenAPI document. */
export const ROLLUP_FUNCTIONS: readonly RollupFunction[] = components.schemas.RollupFunction.enum;
