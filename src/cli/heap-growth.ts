import { setFlagsFromString } from "node:v8";
import { collectGarbage } from "./collect-garbage.js";

/** Growth of the heap until the next collection, in percent of what is alive. By default V8 allows up to 300 %. */
const HEAP_GROWTH_PERCENT = 50;

/** Time without a large response after which V8 chooses the growth itself again, because the limit costs a cold GET 4 %. */
const LIMIT_TIME_MS = 10_000;

/**
 * Creates a function that limits the growth of the heap for some seconds. A large response leaves several times its size of
 * garbage, so that a heap of 40 MB would grow to 160 MB.
 */
export function createHeapGrowthLimit(timeMs = LIMIT_TIME_MS): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    if (timer !== undefined) {
      timer.refresh();
      return;
    }
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
    // V8 applies the growth when it has collected.
    collectGarbage();
    timer = setTimeout(() => {
      timer = undefined;
      setFlagsFromString("--heap-growing-percent=0");
    }, timeMs).unref();
  };
}
