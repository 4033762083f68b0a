import type { Diagnostic } from "../diagnostic.js";
import { toPointer } from "../json.js";
import { getKindOfMember, type ValueKind } from "../model/schema/keywords.js";
import { type Keys, listKeys, locateInFile } from "./locations.js";
import type { ParsedFile } from "./parsed-file.js";

/** Sections of `components` with the same name as the lists and maps that refer to their members. */
const SECTIONS = new Set(
  "parameters responses headers examples links callbacks requestBodies pathItems securitySchemes".split(" "),
);

/** Finds references to a component of another kind than their location requires, such as a schema that is a response. */
export function findMisplacedReferences({ references, source }: ParsedFile): Diagnostic[] {
  return references.flatMap(({ ref, keys, isMapping }): Diagnostic[] => {
    const section = /#\/components\/([a-zA-Z]+)\/[^/]+$/.exec(ref)?.[1];
    const expected = keys.up && getExpectedSection(keys.up);
    if (isMapping || section === undefined || section === (expected ?? "schemas")) return [];
    const location = listKeys(keys.up);
    const kind = location.reduce<ValueKind>(getKindOfMember, "document");
    const required = kind === "schema" ? "schemas" : kind === "document" ? expected : undefined;
    if (required === undefined || required === section) return [];
    return [
      {
        severity: "warning",
        message: `This $ref leads to \`components.${section}\`. Refer to a member of \`components.${required}\` here.`,
        position: locateInFile(source, toPointer(location), false),
      },
    ];
  });
}

/** Returns the section of the components that a reference outside of schemas can lead to; undefined if it is unknown. */
function getExpectedSection({ key, up }: Keys): string | undefined {
  if (key === "requestBody") return "requestBodies";
  // The members of a callback are path items too.
  if (up?.key === "paths" || up?.key === "webhooks" || up?.up?.key === "callbacks") return "pathItems";
  return SECTIONS.has(up?.key ?? "") ? up?.key : undefined;
}
