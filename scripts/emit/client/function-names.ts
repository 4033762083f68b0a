/** The name of an operation's function in operations.ts, and the name that it is exported as. */
export interface FunctionName {
  local: string;
  exported: string;
}

/** Reserved words, which cannot name a function of a module. */
const RESERVED =
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield";

/** Names that operations.ts uses: its imports from the client runtime, globals, and parameters of its functions. */
const USED =
  "asBoolean asCookies asJson asList asNumberOrBoolean asObject cookieWriter form headerStyle multipart pathStyle queryStyle readByMediaType readBytes readEvents readJson readLines readText send unreachablePath writeAs writeByMediaType BinaryInput Bytes CallOptions Connection ItemOf MultipartInput ServerSentEvent Types Number String connection options request";

/** Listed in full, so that what one operation uses never renames another. */
const TAKEN: ReadonlySet<string> = new Set(`${RESERVED} ${USED}`.split(" "));

/**
 * Names the functions of operations. Each is exported under the name of its operation, which differ; only its local name
 * changes where the file needs that name for something else.
 */
export function functionNames(names: readonly string[]): Map<string, FunctionName> {
  const locals = new Set([...TAKEN, ...names]);
  return new Map(
    names.map((name) => {
      let local = name;
      if (TAKEN.has(name)) {
        local = `${name}Operation`;
        while (locals.has(local)) local += "_";
        locals.add(local);
      }
      return [name, { local, exported: name }];
    }),
  );
}
