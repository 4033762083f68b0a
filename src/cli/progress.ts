/** Milliseconds between two updates. */
const UPDATE_INTERVAL_MS = 200;

/** Progress line on standard error. Does nothing unless standard error is a terminal. */
export interface Progress {
  /** Shows the number of rows so far. */
  readonly show: (rows: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/**
 * Creates a progress line such as "1,200 rows exported".
 *
 * @param verb past participle for the rows, such as "exported"
 */
export function createProgress(verb: string): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { show() {}, end() {} };
  let lastUpdate = 0;
  return {
    show(rows) {
      const now = performance.now();
      if (now - lastUpdate < UPDATE_INTERVAL_MS) return;
      lastUpdate = now;
      stderr.write(`\r\u001b[K${rows.toLocaleString("en")} rows ${verb}`);
    },
    end() {
      if (lastUpdate !== 0) stderr.write("\r\u001b[K");
    },
  };
}
