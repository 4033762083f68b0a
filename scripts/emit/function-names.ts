/** What the function of an operation is called in its file, and by who imports it. */
export interface FunctionName {
  local: string;
  exported: string;
}

/** What client.ts exports besides the operations, for one document or another. */
const EXPORTS = [
  "Answer ApiError Around Attempt BinaryInput Bytes Call CallOptions Client ClientOptions Connection Failure FileInput",
  "Input NamedFile Operations Received Sent Success connect createClient default",
]
  .join(" ")
  .split(" ");

/** Words that no function of a module can be called. */
const RESERVED =
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  );

/** Words of the functions themselves. */
const OWN = "Promise connection createClient options request send".split(" ");

/**
 * Names for the functions of operations. Who imports one finds it under the operation's name, whatever else the file
 * holds; only what the client itself exports gets a longer one.
 *
 * @param names those of the operations, which differ
 * @param taken names that the rest of the file uses
 */
export function functionNames(names: readonly string[], taken: Iterable<string>): Map<string, FunctionName> {
  const inFile = new Set([...taken, ...RESERVED, ...OWN, ...EXPORTS]);
  const outside = new Set([...names, ...EXPORTS]);
  const used = new Set([...inFile, ...names]);
  const result = new Map<string, FunctionName>();
  for (const name of names) {
    const exported = EXPORTS.includes(name) ? free(`${name}Operation`, outside) : name;
    const local = exported === name && !inFile.has(name) ? name : free(`${name}Operation`, used);
    result.set(name, { local, exported });
  }
  return result;
}

/** The name, with as many underscores after it as make it new; it is taken from then on. */
function free(name: string, taken: Set<string>): string {
  let candidate = name;
  while (taken.has(candidate)) candidate += "_";
  taken.add(candidate);
  return candidate;
}
