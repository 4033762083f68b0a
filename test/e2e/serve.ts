import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";

/** Values that the service prints at its first start. */
export interface Served {
  baseUrl: string;
  key: string;
  databaseId: string;
}

/** Runs `page-service serve --memory` from the sources in `folder` on a free port; it stops after the test. */
export async function serve(folder: string): Promise<Served> {
  const child = spawn(process.execPath, ["--import", "tsx", "src/cli.ts", "serve", "--memory"], {
    cwd: folder,
    // Without the environment of the test runner, in which Vite sets BASE_URL.
    env: { PATH: process.env.PATH, PORT: "0", LOG_LEVEL: "silent" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null) return resolve();
        child.once("close", () => resolve());
        child.kill("SIGTERM");
      }),
  );
  let text = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (/^ {2}curl .*$\n/m.test(text)) resolve();
    });
    child.once("close", (code) => reject(new Error(`The service exited with ${code}: ${text}`)));
  });
  const find = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? "";
  return {
    baseUrl: find(/running at (\S+)/),
    key: find(/(ps_\w{36})/),
    databaseId: find(/Database id +(\S+)/),
  };
}
