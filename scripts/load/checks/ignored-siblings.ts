import type { Diagnostic } from "../../diagnostic.js";
import { escapePointer, parsePointer } from "../../json.js";
import { isAssertion } from "../../json-schema/keywords.js";
import { locateInFile } from "../locations.js";
import type { ParsedFile } from "../parsed-file.js";
import type { OpenApiVersion } from "../version.js";
import { getExpectedSection } from "./misplaced-references.js";

/** Finds members beside a `$ref` that would change its target, but have no effect. */
export function* findIgnoredSiblings(
  files: Iterable<ParsedFile>,
  version: OpenApiVersion,
): Generator<Diagnostic> {
  for (const { source, references } of files)
    for (const { node, pointer } of references) {
      const section = getExpectedSection(parsePointer(pointer));
      if (section === undefined) continue;
      const ignored = Object.keys(node).filter((key) => isIgnored(key, section, version));
      const [first] = ignored;
      if (first === undefined) continue;
      const names = ignored.map((key) => `\`${key}\``).join(", ");
      const message =
        section === "schemas"
          ? `OpenAPI 3.0 ignores ${names} beside a $ref. Move the $ref into \`allOf\`, or remove what is ignored.`
          : `OpenAPI ignores ${names} beside a $ref. Remove what is ignored, or replace the $ref by what it refers to.`;
      const position = locateInFile(source, `${pointer}/${escapePointer(first)}`);
      yield { severity: "warning", message, position };
    }
}

/** Whether OpenAPI ignores a member beside the reference to a component of a section. */
function isIgnored(key: string, section: string, version: OpenApiVersion): boolean {
  if (key === "$ref") return false;
  // A `type` only repeats that of the target in most documents, so it is not reported.
  if (section === "schemas")
    return version === "3.0" && (key === "default" || (isAssertion(key) && key !== "type"));
  // A path item can have members of its own. Tools show a summary and a description also where OpenAPI 3.0 ignores them.
  return section !== "pathItems" && key !== "summary" && key !== "description" && !key.startsWith("x-");
}
