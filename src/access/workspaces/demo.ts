import { DAY_MS } from "../../units.js";
import { hasWorkspaces } from "../../storage/access/workspaces.js";
import type { Store } from "../../storage/engine/store.js";
import { addRootDatabase, addWorkspace } from "./new-workspace.js";
import { createKeyAndWorkspace } from "../keys/operator-keys.js";
import { choosePlan } from "./plans.js";

/** The demo workspace's database, and its API key if one was created. */
export interface DemoWorkspace {
  readonly rootDatabaseId: string;
  readonly key: string | undefined;
}

const DEMO_WORKSPACE = { workspaceName: "Demo", plan: "pro" };
/** Time after which the demo key expires. It is limited because the key is printed to a terminal. */
const DEMO_KEY_TTL_MS = 30 * DAY_MS;

/** Creates the demo workspace with a database "Pages" and optionally a key. Returns undefined if any workspace exists. */
export async function createDemoWorkspace(
  store: Store,
  withKey: boolean,
): Promise<DemoWorkspace | undefined> {
  return store.writeServiceWide(async (tx) => {
    if (await hasWorkspaces(tx)) return undefined;
    if (withKey) {
      const expiresTime = Date.now() + DEMO_KEY_TTL_MS;
      return createKeyAndWorkspace(tx, { ...DEMO_WORKSPACE, keyName: "Demo key", expiresTime });
    }
    const { id } = await addWorkspace(tx, DEMO_WORKSPACE.workspaceName, choosePlan(DEMO_WORKSPACE));
    return { rootDatabaseId: await addRootDatabase({ db: tx, workspaceId: id }), key: undefined };
  });
}
