import type { Diagnostic } from "../diagnostic.js";
import { toPointer } from "../json.js";
import { getKindOfMember, type ValueKind } from "../model/schema/keywords.js";
import { listKeys, locateInFile } from "./locations.js";
import type { ParsedFile } from "./parsed-file.js";

/** Sections of `components` by the map or list of the objects that can be references to their members. */
const SECTIONS: Readonly<Record<string, string>> = {
  parameters: "parameters",
  responses: "responses",
  headers: "headers",
  requestBodies: "requestBodies",
  examples: "examples",
  links: "links",
  callbacks: "callbacks",
  paths: "pathItems",
};

/** Finds references to a component of another kind than their location requires, such as a schema that is a response. */
export function findMisplacedReferences({ references, source }: ParsedFile): Diagnostic[] {
  return references.flatMap(({ ref, keys, isMapping }): Diagnostic[] => {
    const section = /#\/components\/([a-zA-Z]+)\/[^/]+$/.exec(ref)?.[1];
    const { key = "", up } = keys.up ?? {};
    const expected = key === "requestBody" ? "requestBodies" : SECTIONS[up?.key ?? ""];
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
