import { RESERVED_WORDS } from "../../code/reserved-words.js";
import { reserveName } from "../../model/names.js";

/** Names that operations.ts may import from the client runtime. A test compares them with the runtime's exports. */
export const RUNTIME_NAMES = (
  "asBoolean asCookies asJson asList asObject asScalar cookieWriter headerWriter pathWriter queryWriter " +
  "readByMediaType readByStatus readBytes readEvents readJson readLines readNothing readText send unreachablePath untypedQueryWriter " +
  "withServer writeAs writeByMediaType writeForm writeJson writeLines writeMultipart BinaryInput Bytes CallOptions Connection ItemOf " +
  "MultipartInput ServerSentEvent"
).split(" ");

/** Other names that operations.ts uses: globals, the namespace of types.ts, and parameters of its functions. */
const OTHER_NAMES = ["Number", "String", "Types", "connection", "options", "request"];

/** Names that no function can have. Fixed, so that adding an operation does not rename the functions of others. */
const UNAVAILABLE_NAMES: ReadonlySet<string> = new Set([...RESERVED_WORDS, ...RUNTIME_NAMES, ...OTHER_NAMES]);

/**
 * Chooses the name of each operation's function in operations.ts: the name of the operation, or another one if the file uses
 * that name itself. The function is exported under the name of the operation in both cases.
 */
export function chooseFunctionNames(operationNames: readonly string[]): Map<string, string> {
  const used = new Set([...UNAVAILABLE_NAMES, ...operationNames]);
  return new Map(
    operationNames.map((name) => [
      name,
      UNAVAILABLE_NAMES.has(name) ? reserveName(`${name}Operation`, used) : name,
    ]),
  );
}
