import { execFile, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { PROJECT } from "../support/api-document.js";
import { findFreePort } from "../support/ports.js";
import type { Compiler } from "../support/type-check.js";
import type { Outcome } from "./project.js";

/** Errors of npm when it cannot reach the registry. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|ENETUNREACH|network/;

/** Returns the version of a package in this project, because it is already in npm's cache. */
function getOwnVersion(name: string): string {
  // The cast: the project's package.json has devDependencies.
  const { devDependencies } = JSON.parse(readFileSync(path.join(PROJECT, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  return `${name}@${devDependencies[name] ?? "latest"}`;
}

/** Linux's file system in memory, and the free space that it needs for a few projects: containers often have less. */
const MEMORY = "/dev/shm";
const MIN_FREE_BYTES = 2_000_000_000;

/** Returns a folder for projects: in memory if possible, because npm spends most of its time on writing small files. */
function findTemporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < MIN_FREE_BYTES ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}

/** A user's project in a temporary folder, with our package installed from its tarball. */
export class ForeignProject {
  readonly folder = mkdtempSync(path.join(findTemporaryFolder(), "foreign-project-"));

  /** @param options `empty` for a folder without a package.json and a document */
  constructor({ empty = false } = {}) {
    if (empty) return;
    this.write(
      "package.json",
      '{ "name": "library", "version": "1.0.0", "private": true, "type": "module" }\n',
    );
    cpSync(path.join(PROJECT, "test/fixtures/foreign/api.yaml"), path.join(this.folder, "api.yaml"));
  }

  /**
   * Packs the built page-service, or the package in another folder of this project.
   * @param folder target folder, created if it does not exist; the tarball is its only file
   * @returns path of the tarball
   */
  static async pack(folder: string, source = "."): Promise<string> {
    mkdirSync(folder, { recursive: true });
    const args = ["pack", source, "--ignore-scripts", "--pack-destination", folder];
    const { code, text } = await npm(args, PROJECT);
    const file = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    if (code !== 0 || file === undefined) throw new Error(`npm pack failed: ${text}`);
    return path.join(folder, file);
  }

  /**
   * Installs packages together with the dependencies of a project with a server.
   * @returns why that was not possible, where the registry cannot be reached
   */
  install(tarballs: string[], typescript: string): Promise<string | undefined> {
    const packages = [
      ...tarballs,
      typescript,
      ...["express", "@types/express", "@types/node"].map(getOwnVersion),
    ];
    return this.npmInstall("openapi-fetch", ...packages);
  }

  /**
   * `npm install` with arguments.
   * @returns why that was not possible, where the registry cannot be reached
   */
  async npmInstall(...args: string[]): Promise<string | undefined> {
    const { code, text } = await npm(["install", ...args], this.folder);
    if (code === 0) return undefined;
    const why = explainUnreachable(text);
    if (why === undefined) throw new Error(`npm install failed: ${text}`);
    return why;
  }

  /** Lists the paths of the installed packages, including nested ones. */
  packages(): string[] {
    // The cast: npm writes this file after every installation.
    const { packages } = JSON.parse(this.read("node_modules/.package-lock.json")) as {
      packages: Record<string, unknown>;
    };
    return Object.keys(packages);
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    const target = path.join(this.folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  /** Replaces text that must occur exactly once. */
  replace(file: string, old: string | RegExp, replacement: string): void {
    const parts = this.read(file).split(old);
    if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times ${String(old)}`);
    this.write(file, parts.join(replacement));
  }

  /** Runs a shell command of the README. */
  shell(line: string): Promise<Outcome> {
    return run("sh", ["-c", line], this.folder);
  }

  /** Compiles with the project's own TypeScript. */
  tsc(...args: string[]): Promise<Outcome> {
    return run(process.execPath, ["node_modules/typescript/bin/tsc", ...args], this.folder);
  }

  /** Compiles with a compiler of this repository, which does not have to be installed for it. */
  compile(compiler: Compiler, ...args: string[]): Promise<Outcome> {
    return run(
      process.execPath,
      [path.join(PROJECT, "node_modules", compiler, "bin/tsc"), ...args],
      this.folder,
    );
  }

  /** Runs a compiled program until it exits. */
  node(file: string, ...args: string[]): Promise<Outcome> {
    return run(process.execPath, [file, ...args], this.folder);
  }

  /** Starts a compiled server and waits until it listens; it stops after the test or with `stop`. */
  async start(file: string, ...args: string[]): Promise<{ port: number; stop: () => Promise<void> }> {
    const port = await findFreePort();
    const child = spawn(process.execPath, [file, ...args], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const stop = (): Promise<void> => {
      child.kill();
      return ended;
    };
    onTestFinished(stop);
    while (child.exitCode === null && child.signalCode === null) {
      const up = await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      );
      if (up) return { port, stop };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("The server did not start.");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Measures the bytes of all files in a folder. */
export function measureFolder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

/** Runs npm in a folder, without the environment of the test runner. */
export function npm(args: string[], folder: string): Promise<Outcome> {
  return run("npm", args, folder);
}

/** Returns the reason why npm cannot reach the registry; undefined if npm failed for another reason. */
export function explainUnreachable(text: string): string | undefined {
  return UNREACHABLE.test(text) ? `the registry is unreachable: ${text.trim().split("\n")[0]}` : undefined;
}

function run(program: string, args: string[], cwd: string): Promise<Outcome> {
  const { PATH, HOME, GOGC, npm_config_cache: cache, npm_config_registry: registry } = process.env;
  // Only these variables, because npm_* variables of the test runner refer to this project.
  const env = {
    PATH,
    HOME,
    // Used by TypeScript 7, see .ci/run.
    GOGC,
    ...(cache === undefined ? {} : { npm_config_cache: cache }),
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
    npm_config_update_notifier: "false",
    npm_config_loglevel: "error",
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env, maxBuffer: 10_000_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, text: stdout + stderr });
    });
  });
}
