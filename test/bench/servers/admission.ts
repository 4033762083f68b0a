/**
 * GET of a page from a database in memory, from the built service's own parts: with the check of key, limit and rights
 * that every request passes, or without it (argument `without`). Any request is taken for one for the page.
 */
import { randomUUID } from "node:crypto";
import Router from "router";
import type * as Routes from "../../../generated/routes.js";
import type * as Validators from "../../../generated/validators.js";
import type * as Authenticate from "../../../src/access/authenticate.js";
import type * as Counters from "../../../src/access/counters.js";
import type * as Provision from "../../../src/access/provision.js";
import type * as RateLimit from "../../../src/access/rate-limit.js";
import type * as Usage from "../../../src/access/usage.js";
import type * as Admission from "../../../src/adapters/admission.js";
import type { Context } from "../../../src/adapters/context.js";
import type * as KeptAnswers from "../../../src/adapters/kept-answers.js";
import type * as Pages from "../../../src/adapters/pages.js";
import type * as Http from "../../../src/http/index.js";
import type * as Storage from "../../../src/storage/store.js";
import { listen } from "./listen.js";

// The built code, as the service runs it. The casts: it is compiled from these very modules.
const built = (name: string): Promise<unknown> =>
  import(new URL(`../../../dist/${name}`, import.meta.url).href);
const { createBinder } = (await built("src/http/index.js")) as typeof Http;
const { operations } = (await built("generated/routes.js")) as typeof Routes;
const { validators, expectations } = (await built("generated/validators.js")) as typeof Validators;
const { openStore } = (await built("src/storage/store.js")) as typeof Storage;
const { createAuthenticate } = (await built("src/access/authenticate.js")) as typeof Authenticate;
const { createKeyForWorkspace } = (await built("src/access/provision.js")) as typeof Provision;
const { createRateLimiter } = (await built("src/access/rate-limit.js")) as typeof RateLimit;
const { memoryCounters } = (await built("src/access/counters.js")) as typeof Counters;
const { createUsage } = (await built("src/access/usage.js")) as typeof Usage;
const { createAdmission } = (await built("src/adapters/admission.js")) as typeof Admission;
const { createKeptAnswers } = (await built("src/adapters/kept-answers.js")) as typeof KeptAnswers;
const { pagesHandlers } = (await built("src/adapters/pages.js")) as typeof Pages;

const store = await openStore(":memory:");
const made = await createKeyForWorkspace(store, { workspaceName: "Bench", plan: "enterprise" });
const authenticate = createAuthenticate(store);
const limiter = createRateLimiter(memoryCounters());
const usage = createUsage(store, (error) => console.error(error));
const authorization = `Bearer ${made.key}`;
const principal = await authenticate(authorization);
if (principal === undefined) throw new Error("The key does not work.");
const { workspaceId } = principal;

/** What is left of the admission without key, limit and rights. */
const letIn = ({ headers }: Http.Exchange): Context => {
  const requestId = randomUUID();
  headers["X-Request-Id"] = requestId;
  headers["X-Content-Type-Options"] = "nosniff";
  return { principal, requestId, write: (_, job) => store.write(job, workspaceId) };
};
const admit = createAdmission(authenticate, limiter, usage, store, (request) => request.socket.remoteAddress);
const begin = process.argv[2] === "without" ? letIn : admit;

const bind = createBinder<Context>({ validators, expectations, begin });
const keepAnswers = createKeptAnswers(store);
const address = "http://localhost:3000";
const pages = pagesHandlers(store, { appUrl: address, baseUrl: address });
const router = Router({ caseSensitive: true, strict: true });
const { retrievePage } = operations;
router.get("/v1/pages/:page_id", bind(retrievePage, keepAnswers(retrievePage, pages.retrievePage)));

const context: Context = {
  principal,
  requestId: randomUUID(),
  write: (_, job) => store.write(job, workspaceId),
};
const created = await pages.createPage(
  {
    headers: {},
    body: { parent: { database_id: made.rootDatabaseId }, properties: { Points: { number: 3.5 } } },
  },
  context,
);
if (created.status !== 200) throw new Error("The page could not be made.");
const path = `/v1/pages/${created.body.id}`;

listen((request, response) => {
  request.url = path;
  request.headers.authorization = authorization;
  router(request, response, () => response.writeHead(404).end());
});
