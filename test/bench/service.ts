import { execFileSync } from "node:child_process";
import { openSync } from "node:fs";

import path from "node:path";
import { findFreePort } from "../support/ports.js";
import {
  toServerProcess,
  type ServerProcess,
  ROOT,
  START_ARGUMENTS,
  startNode,
  waitUntilOk,
} from "./child.js";

/** The built service on a database file, with a page in it and a key that reads it. */
export class BenchService {
  readonly #folder: string;
  readonly #output: number;
  readonly key: string;
  readonly #databaseId: string;
  #pagePath: string | undefined;

  /**
   * Creates the database and a key of an enterprise workspace, whose rate limit counts every request but refuses none.
   *
   * @param folder an empty folder for the database and the log
   */
  constructor(folder: string) {
    this.#folder = folder;
    this.#output = openSync(path.join(folder, "service.log"), "a");
    const args = [
      "dist/src/cli.js",
      "keys",
      "create",
      "--workspace",
      "Bench",
      "--plan",
      "enterprise",
      "--json",
    ];
    const text = execFileSync(process.execPath, args, {
      cwd: ROOT,
      env: this.#createEnvironment(0),
      encoding: "utf8",
    });
    // The cast: the documented output of the command.
    const provisioned = JSON.parse(text) as { key: string; root_database_id: string };
    this.key = provisioned.key;
    this.#databaseId = provisioned.root_database_id;
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.key}` };
  }

  /** Path of the measured page. */
  get pagePath(): string {
    if (this.#pagePath === undefined) throw new Error("Call createPage first.");
    return this.#pagePath;
  }

  /** Starts `page-service serve`; resolves when it listens. */
  async start(): Promise<ServerProcess> {
    const { child, url } = await this.#spawn();
    await waitUntilOk(child, `${url}/livez`, {});
    return toServerProcess(child, url);
  }

  /** Creates the measured page. */
  async createPage(url: string): Promise<void> {
    const response = await fetch(`${url}/v1/pages`, {
      method: "POST",
      headers: { ...this.headers, "content-type": "application/json" },
      body: JSON.stringify({
        parent: { database_id: this.#databaseId },
        properties: { Title: { title: [{ text: { content: "Travel plans" } }] }, Points: { number: 3.5 } },
      }),
    });
    if (response.status !== 200) throw new Error(`The page could not be created: ${await response.text()}`);
    // The cast: responses with status 200 are pages.
    const { id } = (await response.json()) as { id: string };
    this.#pagePath = `/v1/pages/${id}`;
  }

  /** Measures the seconds from the start of the process to the first response with the page. */
  async measureStart(): Promise<number> {
    const port = await findFreePort();
    const started = performance.now();
    const { child, url } = await this.#spawn(port);
    await waitUntilOk(child, `${url}${this.pagePath}`, this.headers);
    const seconds = (performance.now() - started) / 1000;
    await toServerProcess(child, url).stop();
    return seconds;
  }

  async #spawn(given?: number): Promise<{ child: ReturnType<typeof startNode>; url: string }> {
    const port = given ?? (await findFreePort());
    const child = startNode(START_ARGUMENTS, this.#createEnvironment(port), this.#output);
    return { child, url: `http://127.0.0.1:${port}` };
  }

  /** Creates the environment, in which everything else, including the log level, has its default. */
  #createEnvironment(port: number): Record<string, string> {
    return { PORT: String(port), DATA_DIR: path.join(this.#folder, "data") };
  }
}
