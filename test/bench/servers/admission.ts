/**
 * A server for GET of one page from a database in memory, assembled from modules of the built service: with the checks of
 * key, rate limit and permissions that every request passes, or without them (argument `without`). Every path returns the
 * page.
 */
import { randomUUID } from "node:crypto";
import Router from "router";
import type * as Routes from "../../../generated/routes.js";
import type * as Validators from "../../../generated/validators.js";
import type * as Authenticate from "../../../src/access/authenticate.js";
import type * as ClientAddress from "../../../src/access/client-address.js";
import type * as CounterModule from "../../../src/access/counters.js";
import type * as OperatorKeys from "../../../src/access/operator-keys.js";
import type * as RateLimit from "../../../src/access/rate-limit.js";
import type * as Usage from "../../../src/access/usage.js";
import type * as Admission from "../../../src/service/admission.js";
import type * as Memory from "../../../src/service/memory-budget.js";
import type { HandlerContext } from "../../../src/adapters/context.js";
import type * as Pages from "../../../src/adapters/pages.js";
import type * as RunWrite from "../../../src/operations/run-write.js";
import type * as Operations from "../../../src/operations/scope.js";
import type * as Http from "../../../src/http/index.js";
import type * as Storage from "../../../src/storage/engine/store.js";
import { listen } from "./listen.js";

// Imports the built code that the service runs. The casts: it is compiled from these modules.
const importBuilt = (name: string): Promise<unknown> =>
  import(new URL(`../../../dist/${name}`, import.meta.url).href);
const { createBinder } = (await importBuilt("src/http/index.js")) as typeof Http;
const { operations } = (await importBuilt("generated/routes.js")) as typeof Routes;
const { validators, expectations } = (await importBuilt("generated/validators.js")) as typeof Validators;
const { MemoryBudget } = (await importBuilt("src/service/memory-budget.js")) as typeof Memory;
const { openStore } = (await importBuilt("src/storage/engine/store.js")) as typeof Storage;
const { createAuthenticator } = (await importBuilt("src/access/authenticate.js")) as typeof Authenticate;
const { createKeyForWorkspace } = (await importBuilt("src/access/operator-keys.js")) as typeof OperatorKeys;
const { trustProxies } = (await importBuilt("src/access/client-address.js")) as typeof ClientAddress;
const { createRateLimiter } = (await importBuilt("src/access/rate-limit.js")) as typeof RateLimit;
const { createMemoryCounterFactory } = (await importBuilt("src/access/counters.js")) as typeof CounterModule;
const { UsageRecorder } = (await importBuilt("src/access/usage.js")) as typeof Usage;
const { createAdmission } = (await importBuilt("src/service/admission.js")) as typeof Admission;
const { Scopes } = (await importBuilt("src/operations/scope.js")) as typeof Operations;
const { runWrite } = (await importBuilt("src/operations/run-write.js")) as typeof RunWrite;
const { pagesHandlers } = (await importBuilt("src/adapters/pages.js")) as typeof Pages;

const store = await openStore(":memory:");
const provisioned = await createKeyForWorkspace(store, { workspaceName: "Bench", plan: "enterprise" });
const authenticate = createAuthenticator(store);
const limiter = createRateLimiter(createMemoryCounterFactory());
const usage = new UsageRecorder(store, (error) => console.error(error));
const authorization = `Bearer ${provisioned.key}`;
const principal = await authenticate(authorization);
if (principal === undefined) throw new Error("The key does not work.");

const address = "http://localhost:3000";
const scopes = new Scopes(store, { app: address, api: address });
const createContext = (requestId: string): HandlerContext => ({
  scope: scopes.createReadScope(principal),
  requestId,
  write: (_, job) => runWrite(store, scopes, principal, job),
});

/** Admits a request without checking the key, the rate limit and permissions. */
const skipAdmission = ({ headers }: Http.RequestContext): HandlerContext => {
  const requestId = randomUUID();
  headers["X-Request-Id"] = requestId;
  headers["X-Content-Type-Options"] = "nosniff";
  return createContext(requestId);
};
const admit = createAdmission({
  authenticate,
  limiter,
  memory: new MemoryBudget(),
  usage,
  store,
  scopes,
  proxyHeaders: trustProxies([]),
});
const begin = process.argv[2] === "without" ? skipAdmission : admit;

const bind = createBinder<HandlerContext>({ validators, expectations, begin });
const router = Router({ caseSensitive: true, strict: true });
const { retrievePage } = operations;
router.get("/v1/pages/:page_id", bind(retrievePage, pagesHandlers.retrievePage));

const created = await pagesHandlers.createPage(
  {
    headers: {},
    body: { parent: { database_id: provisioned.rootDatabaseId }, properties: { Points: { number: 3.5 } } },
  },
  createContext(randomUUID()),
);
if (created.status !== 200) throw new Error("The page could not be created.");
const path = `/v1/pages/${created.body.id}`;

listen((request, response) => {
  request.url = path;
  request.headers.authorization = authorization;
  router(request, response, () => response.writeHead(404).end());
});
