import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";

import { userInfo } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { findFreePort } from "../support/ports.js";

/** A PostgreSQL server of one test, which can stop and start it. */
export interface Cluster {
  /** The URL of a database on the server. */
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Stops the server immediately, as after a crash. */
  crash(): Promise<void>;
}

const INSTALLED = "/usr/lib/postgresql";

/** Finds the folder where Debian installs PostgreSQL's server programs; undefined when they are missing. */
export function findServerPrograms(): string | undefined {
  try {
    const [version] = readdirSync(INSTALLED).toSorted((one, other) => Number(other) - Number(one));
    return version === undefined ? undefined : path.join(INSTALLED, version, "bin");
  } catch {
    return undefined;
  }
}

/** Creates and starts a server that is removed after the test. */
export async function startCluster(programs: string): Promise<Cluster> {
  const folder = mkdtempSync("/tmp/page-service-postgresql-");
  chmodSync(folder, 0o777);
  const data = path.join(folder, "data");
  const port = await findFreePort();
  // Runs as the user postgres, because the server refuses to run as root.
  const isRoot = userInfo().uid === 0;
  const execute = async (command: string): Promise<void> => {
    const [program, args] = isRoot
      ? (["su", ["postgres", "-c", command]] as const)
      : (["sh", ["-c", command]] as const);
    await promisify(execFile)(program, [...args], { cwd: folder });
  };
  const control = (action: string): Promise<void> =>
    execute(
      `${programs}/pg_ctl -D ${data} -l ${folder}/log -w -t 60 ${action} > ${folder}/control.log 2>&1 < /dev/null`,
    );
  await execute(`${programs}/initdb -D ${data} -U tester -A trust -E UTF8 --no-locale --no-instructions`);
  writeFileSync(
    path.join(data, "postgresql.auto.conf"),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`,
  );
  const start = (): Promise<void> => control("start");
  const crash = (): Promise<void> => control("-m immediate stop");
  onTestFinished(async () => {
    // Fails if the test has already stopped the server.
    await crash().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return { url: `postgres://tester@127.0.0.1:${port}/postgres`, port, start, crash };
}
