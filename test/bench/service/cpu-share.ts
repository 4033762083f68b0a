import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** In microseconds: short, so that a held process is never still for long. */
const PERIOD = 10_000;

const ROOT = "/sys/fs/cgroup";

/**
 * Holds a process to a share of one core from here on, as if it ran on a machine of its own that is so fast; by the control
 * groups of Linux, version 1 or 2, for which one must be root.
 *
 * @param share of a core, e.g. 0.3
 * @returns lets it go again, once the process has ended; undefined where this is not possible
 */
export function holdToShare(pid: number, share: number): (() => void) | undefined {
  const quota = Math.round(PERIOD * share);
  const isFirstVersion = existsSync(path.join(ROOT, "cpu"));
  const group = path.join(ROOT, isFirstVersion ? "cpu" : "", `page-service-bench-${pid}`);
  try {
    mkdirSync(group);
    if (isFirstVersion) {
      writeFileSync(path.join(group, "cpu.cfs_period_us"), String(PERIOD));
      writeFileSync(path.join(group, "cpu.cfs_quota_us"), String(quota));
    } else writeFileSync(path.join(group, "cpu.max"), `${quota} ${PERIOD}`);
    writeFileSync(path.join(group, "cgroup.procs"), String(pid));
    return () => rmdirSync(group);
  } catch {
    if (existsSync(group)) rmdirSync(group);
    return undefined;
  }
}
