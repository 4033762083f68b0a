/** Our side of the POST comparison: the built runtime, router and generated validators; no key, limit or storage. */
import Router from "router";
import type * as Routes from "../../../generated/routes.js";
import type * as Validators from "../../../generated/validators.js";
import type * as Http from "../../../src/http/index.js";
import { page } from "./create-page.js";
import { listen } from "./listen.js";

// Imports the built code that the service runs. The casts: it is compiled from these modules.
const importBuilt = (name: string): Promise<unknown> =>
  import(new URL(`../../../dist/${name}`, import.meta.url).href);
const { createBinder } = (await importBuilt("src/http/index.js")) as typeof Http;
const { registerRoutes } = (await importBuilt("generated/routes.js")) as typeof Routes;
const { validators, expectations } = (await importBuilt("generated/validators.js")) as typeof Validators;

const bind = createBinder<undefined>({
  validators,
  expectations,
  begin: () => undefined,
  onError: (error) => ({ status: 400, body: { message: String(error) } }),
  bodyLimit: 512_000,
});
const router = Router({ caseSensitive: true, strict: true });
// Handlers need not set these headers, which admission sets in the service.
type Headers = "X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset" | "X-Request-Id";
const createPage: Routes.PagesHandlers<undefined, Headers>["createPage"] = async () => ({
  status: 200,
  headers: { ETag: '"0"' },
  body: page,
});
// The cast: a proxy has every group of handlers, and each group has this one handler. Only POST /v1/pages is measured.
const handlers = new Proxy({}, { get: () => new Proxy({}, { get: () => createPage }) }) as Routes.Handlers<
  undefined,
  Headers
>;
registerRoutes<undefined, Headers>(router, handlers, bind);

listen((request, response) => {
  router(request, response, () => response.writeHead(404).end());
});
