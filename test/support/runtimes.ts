import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { npm, explainUnreachable } from "../e2e/foreign-project.js";
import { PROJECT } from "./api-document.js";

const CACHE = path.join(PROJECT, "node_modules/.cache/runtimes");
const { platform, arch } = process;

/** JavaScript runtimes other than Node: the npm package with the program for this machine. */
export const RUNTIMES = {
  Deno: {
    name: `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}`,
    version: "2.9.6",
    file: "deno",
  },
  Bun: {
    name: `@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}`,
    version: "1.4.5",
    file: "bin/bun",
  },
  workerd: {
    name: `@cloudflare/workerd-${platform}-${arch === "x64" ? "64" : arch}`,
    version: "1.20261117.1",
    file: "bin/workerd",
  },
} as const;

export type RuntimeName = keyof typeof RUNTIMES;

/**
 * Downloads the program of a runtime from the registry on first use: 40 to 50 MB each, too large for `npm ci`.
 *
 * @returns its path, or the reason why it is missing
 * @throws in CI, when it cannot be downloaded
 */
export async function fetchRuntime(runtime: RuntimeName): Promise<{ program: string } | { missing: string }> {
  const { name, version, file } = RUNTIMES[runtime];
  const folder = path.join(CACHE, `${runtime}-${version}`);
  const program = path.join(folder, "package", file);
  if (existsSync(program)) return { program };
  mkdirSync(CACHE, { recursive: true });
  const download = mkdtempSync(path.join(CACHE, "download-"));
  try {
    const { code, text } = await npm(["pack", `${name}@${version}`, "--prefer-offline"], download);
    if (code !== 0) {
      const missing = explainUnreachable(text);
      if (missing === undefined || process.env.CI) throw new Error(`${runtime} cannot be fetched: ${text}`);
      return { missing };
    }
    const run = promisify(execFile);
    await run("sh", ["-c", `tar -xzf *.tgz package/${file} && rm *.tgz`], { cwd: download });
    // Replaced in one step, because another process may have downloaded it too.
    rmSync(folder, { recursive: true, force: true });
    renameSync(download, folder);
    return { program };
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
}
