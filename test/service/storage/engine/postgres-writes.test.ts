import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { testUnless } from "../../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES } from "../../../support/stores.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";

testUnless(NO_POSTGRES)(
  "long writes of many workspaces leave connections for the writes of others",
  async () => {
    const store = await openTestStore(await newPostgresDatabase());
    const { workspaceId } = await addDatabase(store);
    const workspaces = Array.from({ length: 8 }, (_, index) => `long ${index}`);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    // Otherwise the store would not close after a failure.
    onTestFinished(() => release());
    let running = 0;
    const block = async (): Promise<void> => {
      running += 1;
      await released;
    };
    const long: Promise<void>[] = [];
    // Workspaces whose next write waits already when a long one ends.
    const first = workspaces.map((each) =>
      store.write(each, async () => {
        long.push(store.write(each, block));
        await sleep(80);
      }),
    );
    await Promise.all(first);
    await expect.poll(() => running).toBeGreaterThan(0);
    expect(await store.write(workspaceId, async () => "written")).toBe("written");
    expect(running).toBe(2);
    release();
    await Promise.all(long);
    expect(running).toBe(workspaces.length);
  },
);
