/** Milliseconds between two lines. */
const INTERVAL = 200;

/** Shows on a terminal how far something is; anywhere else nothing. */
export interface Progress {
  /** Tells of so many rows so far. */
  readonly show: (rows: number) => void;
  /** Takes the line away. */
  end(): void;
}

/** @param doing what is done to the rows, such as "exported" */
export function progress(doing: string): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { show() {}, end() {} };
  let shown = 0;
  return {
    show(rows) {
      const now = performance.now();
      if (now - shown < INTERVAL) return;
      shown = now;
      stderr.write(`\r\u001b[K${rows.toLocaleString("en")} rows ${doing}`);
    },
    end() {
      if (shown !== 0) stderr.write("\r\u001b[K");
    },
  };
}
