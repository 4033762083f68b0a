import { DOCUMENT_SINKS } from "./sinks/document.js";
import { OPERATION_SINKS } from "./sinks/operations.js";
import { SCHEMA_SINKS } from "./sinks/schemas.js";
import type { Sink } from "./sinks/sink.js";

/** Every position of text in a document. */
export const SINKS: Readonly<Record<string, Sink>> = {
  ...DOCUMENT_SINKS,
  ...OPERATION_SINKS,
  ...SCHEMA_SINKS,
};
