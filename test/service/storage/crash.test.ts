import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findPage } from "../../../src/storage/pages.js";
import { openStore } from "../../../src/storage/engine/store.js";
import { temporaryFile } from "./open.js";

const program = fileURLToPath(new URL("./write-forever.ts", import.meta.url));

test("acknowledged writes survive SIGKILL", async () => {
  const file = temporaryFile();
  const acknowledged: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const child = spawn(process.execPath, ["--import", "tsx", program, file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => {
      output += text;
      // In the middle of its work, at another moment in every round.
      if (output.length > 10_000 * (round + 1)) child.kill("SIGKILL");
    });
    await once(child, "close");
    // The last line may have been cut off by the kill.
    acknowledged.push(...output.split("\n").slice(0, -1));

    const store = await openStore(file);
    for (const line of acknowledged) {
      const [workspaceId = "", pageId = ""] = line.split(" ");
      expect(await findPage(store.read, workspaceId, pageId), line).toBeDefined();
    }
    await store.close();
  }
  expect(acknowledged.length).toBeGreaterThan(1000);
});
