import { expect, onTestFinished, test } from "vitest";
import { createAccountService } from "../../../src/access/account-service.js";
import { createMemoryCounterFactory } from "../../../src/access/counters.js";
import { createRenderTurns } from "../../../src/service/render-turns.js";
import { BusyError, StorageUnavailableError } from "../../../src/storage/engine/errors.js";
import { openStore } from "../../../src/storage/engine/store.js";
import { createCookies } from "../../../src/web/cookies.js";
import { createErrorPage } from "../../../src/web/error-page.js";
import { createTrustedHosts } from "../../../src/web/trusted-hosts.js";

const APP_URL = "http://localhost:3000";

test.each([
  [new Error("secret"), 500, "The service logged this error.", null],
  [new StorageUnavailableError("secret"), 503, "The service cannot reach its database at the moment.", "5"],
  [new BusyError("Too many pages wait."), 503, "Too many pages wait.", "5"],
])(
  "%o leads to a page that explains it, links back and is reported",
  async (error, status, text, retryAfter) => {
    const store = await openStore(":memory:");
    onTestFinished(() => store.close());
    const reported: unknown[] = [];
    const context = {
      store,
      accounts: createAccountService({
        store,
        counters: createMemoryCounterFactory(),
        registration: "open",
        onFailedSignIn: () => {},
      }),
      cookies: createCookies(APP_URL),
      appUrl: APP_URL,
      trustedHosts: createTrustedHosts([APP_URL]),
      readClientAddress: () => "127.0.0.1",
      awaitRenderTurn: createRenderTurns(() => {}),
    };
    const page = await createErrorPage(context, error, undefined, (each) => reported.push(each));
    expect([page.status, page.headers["Retry-After"] ?? null]).toEqual([status, retryAfter]);
    expect(page.body).toContain(text);
    expect(page.body).not.toContain("secret");
    expect(page.body).toContain('<a href="/">Go to the start page</a>');
    expect(reported).toEqual([error]);
  },
);
