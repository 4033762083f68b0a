import { DiagnosticError } from "./diagnostic.js";
import { suggestName } from "./text.js";

/**
 * Refuses a value that is not an object with known options only, because programs in plain JavaScript can pass anything.
 * @param caller the function with the options, e.g. `generate()`
 */
export function requireKnownOptions(caller: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== "object" || options === null)
    throw new DiagnosticError(`The options of ${caller} must be an object.`);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const suggestion = suggestName(unknown, names);
  const remedy =
    suggestion === undefined ? `It has the options ${names.join(", ")}.` : `Did you mean ${suggestion}?`;
  throw new DiagnosticError(`${caller} has no option ${JSON.stringify(unknown)}. ${remedy}`);
}

/** Refuses a URL as the path of the document, which `option` names, e.g. `--spec`. */
export function refuseUrl(option: string, spec: string): void {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(spec))
    throw new DiagnosticError(
      `${option} must be a file, and ${spec} is a URL. Download the document and pass the file.`,
    );
}
