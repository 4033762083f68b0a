import type { KeyRequest, ProvisionedKey } from "../../src/access/provision.js";
import { createPageService, type PageService } from "../../src/service.js";

/** A service that listens on a port of its own, and a key for it. */
export interface RunningService extends ProvisionedKey {
  service: PageService;
  baseUrl: string;
  /** Makes another key, by default in another workspace. */
  createKey(request?: Partial<KeyRequest>): Promise<ProvisionedKey>;
}

/** Starts the service in this process, on a real port. The caller closes `service`. */
export async function startService(
  options: { database?: string; plan?: string } = {},
): Promise<RunningService> {
  const service = await createPageService({ database: options.database ?? ":memory:" });
  const port = await service.listen(0, "127.0.0.1");
  const createKey = (request: Partial<KeyRequest> = {}): Promise<ProvisionedKey> =>
    service.createKey({
      workspaceName: crypto.randomUUID(),
      plan: "enterprise",
      ...request,
    });
  const key = await createKey({ workspaceName: "Test", plan: options.plan ?? "enterprise" });
  return { service, baseUrl: `http://127.0.0.1:${port}`, createKey, ...key };
}
