/**
 * Measures the CPU time of this process, with its threads, while `run` runs. Unlike elapsed time, it does not grow when other
 * programs keep the machine busy, so tests can tell linear from quadratic work by it.
 */
export async function measureCpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
