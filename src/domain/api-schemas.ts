import type { components } from "../../generated/types.js";

/** Types of the schemas in the API document, by name. */
export type Schemas = components["schemas"];
