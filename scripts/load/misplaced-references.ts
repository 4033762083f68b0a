import type { Diagnostic } from "../diagnostic.js";
import { decodePercent, findValue } from "../json.js";
import { getKindAt } from "../json-schema/keywords.js";
import { listKeys, locateInFile } from "./locations.js";
import { MAX_PROBLEMS } from "./limits.js";
import type { FileReference, ParsedFile } from "./parsed-file.js";

/** Members of OpenAPI objects whose entries can only refer to the section of `components` with the same name. */
const SAME_NAME_SECTIONS = new Set(
  "parameters responses headers examples links callbacks requestBodies pathItems securitySchemes".split(" "),
);

/** Finds references to a component of another kind than their location requires, such as a response instead of a schema. */
export function findMisplacedReferences(files: Iterable<ParsedFile>): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const file of files)
    for (const reference of file.references) {
      if (diagnostics.length >= MAX_PROBLEMS) return diagnostics;
      diagnostics.push(...checkSection(reference, file));
    }
  return diagnostics;
}

function checkSection({ ref, keys }: FileReference, { source, parsed }: ParsedFile): Diagnostic[] {
  const section = /#\/components\/([a-zA-Z]+)\/[^/]+$/.exec(ref)?.[1];
  if (section === undefined) return [];
  const location = listKeys(keys.up);
  const expectedSection = getExpectedSection(location);
  if (expectedSection === undefined || expectedSection === section) return [];
  // A reference without a target is reported itself.
  if (ref.startsWith("#") && findValue(parsed, decodePercent(ref.slice(1))) === undefined) return [];
  return [
    {
      severity: "warning",
      message: `This $ref leads to \`components.${section}\`. Refer to a member of \`components.${expectedSection}\` here.`,
      position: locateInFile(source, location, "value"),
    },
  ];
}

/** Returns the section of the components that a reference at a location can lead to; undefined if it is unknown. */
function getExpectedSection(location: readonly string[]): string | undefined {
  const kind = getKindAt(location);
  if (kind === "schema" || kind === "data") return kind === "schema" ? "schemas" : undefined;
  if (location.at(-1) === "requestBody") return "requestBodies";
  const owner = location.at(-2) ?? "";
  // The members of a callback are path items too.
  if (owner === "paths" || owner === "webhooks" || location.at(-3) === "callbacks") return "pathItems";
  return SAME_NAME_SECTIONS.has(owner) ? owner : undefined;
}
