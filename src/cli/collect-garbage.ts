import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Collects all garbage of the process at once. */
// The cast: the flag defines the function in new contexts.
export const collectGarbage = runInNewContext("gc") as () => void;
