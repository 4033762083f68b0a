import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Period of the quota in microseconds. It is short, so that a limited process never pauses for long. */
const PERIOD_MICROS = 10_000;

const ROOT = "/sys/fs/cgroup";

/**
 * Limits a process to a share of one core, to simulate a slower machine of its own. Requires root on Linux, with control
 * groups of version 1 or 2.
 *
 * @param share of a core, e.g. 0.3
 * @returns a function that removes the limit after the process has ended; undefined if the process cannot be limited
 */
export function limitCpuShare(pid: number, share: number): (() => void) | undefined {
  const quota = Math.round(PERIOD_MICROS * share);
  const isFirstVersion = existsSync(path.join(ROOT, "cpu"));
  const group = path.join(ROOT, isFirstVersion ? "cpu" : "", `page-service-bench-${pid}`);
  try {
    mkdirSync(group);
    if (isFirstVersion) {
      writeFileSync(path.join(group, "cpu.cfs_period_us"), String(PERIOD_MICROS));
      writeFileSync(path.join(group, "cpu.cfs_quota_us"), String(quota));
    } else writeFileSync(path.join(group, "cpu.max"), `${quota} ${PERIOD_MICROS}`);
    writeFileSync(path.join(group, "cgroup.procs"), String(pid));
    return () => rmdirSync(group);
  } catch {
    if (existsSync(group)) rmdirSync(group);
    return undefined;
  }
}
