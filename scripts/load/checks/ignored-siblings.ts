import type { Diagnostic } from "../../diagnostic.js";
import { parsePointer } from "../../json.js";
import { getKindAt, isAssertion } from "../../json-schema/keywords.js";
import { locateInFile } from "../locations.js";
import type { ParsedFile } from "../parsed-file.js";

/**
 * Finds keywords beside a `$ref` that would restrict values, but have no effect in OpenAPI 3.0. A `type` only repeats that of the
 * target in most documents, so it is not reported.
 */
export function* findIgnoredSiblings(files: Iterable<ParsedFile>): Generator<Diagnostic> {
  for (const { source, references } of files)
    for (const { node, pointer } of references) {
      const ignored = Object.keys(node).filter(
        (key) => key === "default" || (isAssertion(key) && !/^(?:\$ref|type)$/.test(key)),
      );
      const [first] = ignored;
      if (first === undefined || getKindAt(parsePointer(pointer)) !== "schema") continue;
      const names = ignored.map((key) => `\`${key}\``).join(", ");
      yield {
        severity: "warning",
        message: `OpenAPI 3.0 ignores ${names} beside a $ref. Move the $ref into \`allOf\`, or remove what is ignored.`,
        position: locateInFile(source, `${pointer}/${first}`),
      };
    }
}
