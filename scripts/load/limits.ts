import type { Diagnostic } from "../diagnostic.js";

// Limits for untrusted documents. The parser does not limit the size of a document, its aliases or its `$ref`s. Each
// limit is above the largest public documents, and below a cost that would harm the process.

/** All files of a document together, in bytes. The beta of Microsoft Graph, the largest API we know, has 47 MB. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** Characters that can begin a node, all files together: 64 MiB of `[],` would take 5 GB to parse. Microsoft Graph has 1.9 million. */
export const MAX_NODES = 2_500_000;

/** Entries of one object. Redocly passes keys as arguments, and 100,000 would overflow the stack. Microsoft Graph has 14,227 paths. */
export const MAX_KEYS = 20_000;

/** Levels of nesting once aliases are followed. The parser itself stops at 100 levels of text. */
export const MAX_NESTING = 200;

/** Maximum length of the URI of a schema with an `$id`, in characters. Each reference in the schema is resolved against it. */
export const MAX_SCHEMA_URI_LENGTH = 10_000;

/** Maximum number of `$ref`s to other files that are followed in total. */
export const MAX_FILE_REFERENCES = 2_000_000;

/** Maximum number of diagnostics of a check. Further ones are counted. */
export const MAX_DIAGNOSTICS = 1_000;

/** Takes the first diagnostics that a check yields. It does not search for others. */
export function takeDiagnostics(diagnostics: Iterable<Diagnostic>): Diagnostic[] {
  const taken: Diagnostic[] = [];
  for (const diagnostic of diagnostics) if (taken.push(diagnostic) >= MAX_DIAGNOSTICS) break;
  return taken;
}
