const MAX_TRIES = 5;

/** Measures the milliseconds of CPU time of this process, with its threads, while `run` runs. */
async function measureCpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Fails if each of five runs takes at least `limitMs` milliseconds of CPU time. Other programs, garbage collection and threads
 * slow down some runs, but nothing makes quadratic work fast. So `run` must do all of the work each time it is called, and
 * the limit must be far from both the time of linear and of quadratic work.
 */
export async function expectCpuTimeBelow(limitMs: number, run: () => unknown): Promise<void> {
  const times: number[] = [];
  while (times.length < MAX_TRIES) {
    const time = await measureCpuMs(run);
    if (time < limitMs) return;
    times.push(Math.round(time));
  }
  throw new Error(`Each run took at least ${limitMs} ms of CPU time: ${times.join(", ")}.`);
}

/** Fails if `run` takes at least `factor` times the CPU time of `baseline` in each of five comparisons. */
export async function expectCpuRatioBelow(
  factor: number,
  run: () => unknown,
  baseline: () => unknown,
): Promise<void> {
  const ratios: string[] = [];
  while (ratios.length < MAX_TRIES) {
    const baselineMs = await measureCpuMs(baseline);
    const ratio = (await measureCpuMs(run)) / baselineMs;
    if (ratio < factor) return;
    ratios.push(ratio.toFixed(1));
  }
  throw new Error(
    `Each run took at least ${factor} times the CPU time of the baseline: ${ratios.join(", ")}.`,
  );
}
