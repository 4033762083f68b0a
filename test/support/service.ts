import type { KeyRequest, NewKeyWithWorkspace } from "../../src/access/keys/operator-keys.js";
import { createPageService, type PageService } from "../../src/service.js";

/** A running service and an API key for it. */
export interface RunningService extends NewKeyWithWorkspace {
  service: PageService;
  baseUrl: string;
  /** Creates another key, by default in another workspace. */
  createKey(request?: Partial<KeyRequest>): Promise<NewKeyWithWorkspace>;
}

/** Starts the service in this process, on a real port. The caller closes `service`. */
export async function startService(
  options: { database?: string; plan?: string; baseUrl?: string; appUrl?: string } = {},
): Promise<RunningService> {
  const { database = ":memory:", plan, ...addresses } = options;
  const service = await createPageService({ ...addresses, database });
  const port = await service.listen(0, "127.0.0.1");
  const createKey = (request: Partial<KeyRequest> = {}): Promise<NewKeyWithWorkspace> =>
    service.createKey({
      workspaceName: `Workspace ${crypto.randomUUID()}`,
      plan: "enterprise",
      ...request,
    });
  const key = await createKey({ workspaceName: "Test", plan: plan ?? "enterprise" });
  return { service, baseUrl: `http://127.0.0.1:${port}`, createKey, ...key };
}
