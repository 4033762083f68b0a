import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

/** A PostgreSQL server of the test's own, which it can stop and start. */
export interface Cluster {
  /** The address of a database on it. */
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Stops it as a crash would. */
  crash(): Promise<void>;
}

const INSTALLED = "/usr/lib/postgresql";

/** Finds the folder of PostgreSQL's server programs, as Debian installs them; undefined when they are missing. */
export function findServerPrograms(): string | undefined {
  try {
    const [version] = readdirSync(INSTALLED).toSorted((one, other) => Number(other) - Number(one));
    return version === undefined ? undefined : path.join(INSTALLED, version, "bin");
  } catch {
    return undefined;
  }
}

/** Makes and starts a server that goes away after the test. */
export async function startCluster(programs: string): Promise<Cluster> {
  const folder = mkdtempSync("/tmp/page-service-postgresql-");
  chmodSync(folder, 0o777);
  const data = path.join(folder, "data");
  const port = await freePort();
  // The server refuses to run as root.
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
    // The test may have stopped it already.
    await crash().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return { url: `postgres://tester@127.0.0.1:${port}/postgres`, port, start, crash };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
  return address.port;
}
