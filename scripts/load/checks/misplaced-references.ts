import type { Diagnostic } from "../../diagnostic.js";
import { decodePercent, findValue, getOwnValue, parsePointer } from "../../json.js";
import { getKindAt } from "../../json-schema/keywords.js";
import { locateInFile } from "../locations.js";
import type { ParsedFile } from "../parsed-file.js";

/** Members of OpenAPI objects whose entries can only refer to the section of `components` with the same name. */
const SAME_NAME_SECTIONS = new Set(
  "parameters responses headers examples links callbacks requestBodies pathItems securitySchemes".split(" "),
);

/** Finds references to an object of another kind than their location requires, such as a response instead of a schema. */
export function* findMisplacedReferences(files: Iterable<ParsedFile>): Generator<Diagnostic> {
  for (const { source, parsed, references } of files)
    for (const { ref, pointer } of references) {
      const component = /#\/components\/([a-zA-Z]+)\/[^/]+$/.exec(ref)?.[1];
      // Another part of the document, such as a parameter of an operation.
      const part = /^#(\/(?:components|paths|webhooks)\/.+)/.exec(ref)?.[1];
      const section = component ?? (part && getExpectedSection(parsePointer(part)));
      if (section === undefined) continue;
      const expectedSection = getExpectedSection(parsePointer(pointer));
      if (expectedSection === undefined || expectedSection === section) continue;
      const target = ref.startsWith("#") ? findValue(parsed, decodePercent(ref.slice(1))) : {};
      // A reference without a target is reported itself.
      if (target === undefined) continue;
      const isUnusable =
        component !== undefined &&
        ref.startsWith("#") &&
        expectedSection === "parameters" &&
        !getOwnValue(target, "in");
      yield {
        severity: isUnusable ? "error" : "warning",
        message: `This $ref leads to ${component === undefined ? "an object like those in " : ""}\`components.${section}\`. Refer to a member of \`components.${expectedSection}\` here.`,
        position: locateInFile(source, pointer, "value"),
      };
    }
}

/** Returns the section of the components that a reference at a location can lead to; undefined if it is unknown. */
export function getExpectedSection(location: readonly string[]): string | undefined {
  const kind = getKindAt(location);
  if (kind === "schema" || kind === "data") return kind === "schema" ? "schemas" : undefined;
  if (location.at(-1) === "requestBody") return "requestBodies";
  const owner = location.at(-2) ?? "";
  // The members of a callback are path items too.
  if (owner === "paths" || owner === "webhooks" || location.at(-3) === "callbacks") return "pathItems";
  return SAME_NAME_SECTIONS.has(owner) ? owner : undefined;
}
