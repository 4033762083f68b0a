/** The name of an operation's function in operations.ts, and the name that it is exported as. */
export interface FunctionName {
  local: string;
  exported: string;
}

/** Reserved words, which cannot name a function of a module. */
const RESERVED_WORDS =
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield";

/** Names that operations.ts uses: its imports from the client runtime, globals, and parameters of its functions. */
const USED_NAMES =
  "asBoolean asCookies asJson asList asNumberOrBoolean asObject cookieWriter form headerStyle multipart pathStyle queryStyle readByMediaType readBytes readEvents readJson readLines readText send unreachablePath writeAs writeByMediaType BinaryInput Bytes CallOptions Connection ItemOf MultipartInput ServerSentEvent Types Number String connection options request";

/** Names that no function can have. Fixed, so that adding an operation does not rename the functions of others. */
const UNAVAILABLE_NAMES: ReadonlySet<string> = new Set(`${RESERVED_WORDS} ${USED_NAMES}`.split(" "));

/**
 * Chooses the names of the functions of operations. A function is exported under the name of its operation. Its local
 * name differs only if the name of the operation is not available in the file.
 */
export function chooseFunctionNames(names: readonly string[]): Map<string, FunctionName> {
  const locals = new Set([...UNAVAILABLE_NAMES, ...names]);
  return new Map(
    names.map((name) => {
      let local = name;
      if (UNAVAILABLE_NAMES.has(name)) {
        local = `${name}Operation`;
        while (locals.has(local)) local += "_";
        locals.add(local);
      }
      return [name, { local, exported: name }];
    }),
  );
}
