import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../service/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { uncheckedFetch } from "../support/checked-responses.js";
import { PASSWORD, Visitor } from "../support/visitor.js";
import { sendRequest, type Target, WritingClient } from "./load.js";
import { createKey, chooseLength } from "./setup.js";

/** Mounts a disk of 64 MB in memory; `missing` is the reason why this user cannot. */
function mountSmallDisk(): { readonly folder: string } | { readonly missing: string } {
  const folder = path.join(createTemporaryFolder(), "disk");
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    if (process.env.CI === "true") throw error;
    return { missing: `this user cannot mount a small disk (${String(error).trim()})` };
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  return { folder };
}

/** Fills a disk with a file, except for some bytes. */
function fillDisk(folder: string, filler: string, freeBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
}

const DISK_FULL = "The disk of the database is full. Free some space, or move DATA_DIR to a larger disk.";

test("a full disk is named in the log, and the service stops without an error and starts again with space", async (context) => {
  const smallDisk = mountSmallDisk();
  if ("missing" in smallDisk) return context.skip(smallDisk.missing);
  const { folder } = smallDisk;
  const env = { DATA_DIR: path.join(folder, "data"), LOG_LEVEL: "error", REGISTRATION: "open" };
  const { key, databaseId } = await createKey(env);
  const service = await serve(env);
  const { url } = service;
  const body = JSON.stringify({ parent: { database_id: databaseId }, properties: {} });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const addPage = (address: string) =>
    uncheckedFetch(`${address}/v1/pages`, { method: "POST", headers, body });
  // The cast: the response is a page.
  const { id } = (await (await addPage(url)).json()) as { id: string };
  const filler = path.join(folder, "filler");
  fillDisk(folder, filler, 0);

  // Earlier checkpoints can leave some space in the log.
  let refused = await addPage(url);
  for (let count = 0; refused.ok && count < 100; count += 1) refused = await addPage(url);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ code: "service_unavailable" });
  const person = { name: "Ada", email: "ada@example.org", password: PASSWORD };
  const page = await new Visitor(url).submit("/sign-up", "/sign-up", person);
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await page.text()).toContain("Service unavailable");
  expect((await uncheckedFetch(`${url}/v1/pages/${id}`, { headers })).status).toBe(200);
  // The service can still read, so a load balancer should not take it out.
  expect((await uncheckedFetch(`${url}/readyz`)).status).toBe(200);
  const metrics = await (await uncheckedFetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^page_service_disk_free_bytes 0$/m);

  service.process.kill("SIGTERM");
  const { code, stderr } = await service.ended;
  expect([code, stderr]).toEqual([0, expect.stringContaining(DISK_FULL)]);
  expect(stderr).not.toContain('"stack"');
  rmSync(filler);
  const again = await serve(env);
  expect((await addPage(again.url)).status).toBe(200);
  expect((await uncheckedFetch(`${again.url}/v1/pages/${id}`, { headers })).status).toBe(200);
});

test("on a full disk writes get 503, reads succeed, nothing is lost, and the service recovers with space", async (context) => {
  const smallDisk = mountSmallDisk();
  if ("missing" in smallDisk) return context.skip(smallDisk.missing);
  const disk = smallDisk.folder;
  const env = { DATA_DIR: path.join(disk, "data") };
  const made = await createKey(env);
  const service = await serve({ ...env, LOG_LEVEL: "silent" });
  const target: Target = { ...made, url: service.url };
  const clients = Array.from({ length: 8 }, (_, index) => new WritingClient(`client ${index}`));
  const refused = (): string[] => clients.flatMap((client) => client.refused);
  const acknowledged = (): number => clients.reduce((sum, client) => sum + client.acknowledged, 0);
  const filler = path.join(disk, "filler");
  const rounds = chooseLength(2, 20);
  for (let round = 0; round < rounds; round += 1) {
    // Leaves space for a few writes only.
    fillDisk(disk, filler, 200_000);
    const enough = refused().length + 20;
    await Promise.all(clients.map((client) => client.run(target, () => refused().length >= enough)));
    const read = await sendRequest(target, "GET", `/v1/databases/${made.databaseId}`);
    expect(read?.status).toBe(200);
    expect((await uncheckedFetch(`${service.url}/livez`)).status).toBe(200);
    rmSync(filler);
    const before = acknowledged();
    await Promise.all(clients.map((client) => client.run(target, () => acknowledged() >= before + 40)));
  }
  const problems: string[] = [];
  for (const client of clients) problems.push(...(await client.findProblems(target)));
  expect(problems).toEqual([]);
  expect(new Set(refused())).toEqual(new Set(["503 service_unavailable"]));
  console.log(
    `disk full ${rounds} times: ${acknowledged()} acknowledged writes, ${problems.length} lost or incomplete; ${refused().length} refused`,
  );
  service.process.kill("SIGTERM");
  expect((await service.ended).code).toBe(0);
});
