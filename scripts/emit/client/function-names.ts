import { RESERVED_WORDS } from "../../code/reserved-words.js";
import { findFreeName } from "../../model/names.js";

/** Names that operations.ts uses: its imports from the client runtime, globals, and parameters of its functions. */
const USED_NAMES =
  "asBoolean asCookies asJson asList asNumberOrBoolean asObject cookieWriter headerWriter pathWriter queryWriter readByMediaType readBytes readEvents readJson readLines readText send unreachablePath writeAs writeByMediaType writeForm writeMultipart BinaryInput Bytes CallOptions Connection ItemOf MultipartInput ServerSentEvent Types Number String connection options request";

/** Names that no function can have. Fixed, so that adding an operation does not rename the functions of others. */
const UNAVAILABLE_NAMES: ReadonlySet<string> = new Set([...RESERVED_WORDS, ...USED_NAMES.split(" ")]);

/**
 * Chooses the names of functions in operations.ts, by the name of the operation. They differ only if the name of the
 * operation is not available in the file.
 */
export function chooseFunctionNames(operationNames: readonly string[]): Map<string, string> {
  const used = new Set([...UNAVAILABLE_NAMES, ...operationNames]);
  return new Map(
    operationNames.map((name) => {
      if (!UNAVAILABLE_NAMES.has(name)) return [name, name];
      const local = findFreeName(`${name}Operation`, (each) => used.has(each));
      used.add(local);
      return [name, local];
    }),
  );
}
