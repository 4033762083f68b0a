/** Creates a signal that aborts on the first SIGTERM or SIGINT. The same signal again ends the process. */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
