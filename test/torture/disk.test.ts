import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serve, createTemporaryFolder } from "../service/command.js";
import { uncheckedFetch } from "../support/checked-responses.js";
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
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 200_000)));
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
