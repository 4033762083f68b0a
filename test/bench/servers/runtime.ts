/** Our side of the POST comparison: the built runtime, router and generated validators; no key, limit or storage. */
import Router from "router";
import type * as Routes from "../../../generated/routes.js";
import type * as Validators from "../../../generated/validators.js";
import type * as Http from "../../../src/http/index.js";
import { page } from "./create-page.js";
import { listen } from "./listen.js";

// The built code, as the service runs it. The casts: it is compiled from these very modules.
const built = (name: string): Promise<unknown> =>
  import(new URL(`../../../dist/${name}`, import.meta.url).href);
const { createBinder } = (await built("src/http/index.js")) as typeof Http;
const { registerRoutes } = (await built("generated/routes.js")) as typeof Routes;
const { validators, expectations } = (await built("generated/validators.js")) as typeof Validators;

const bind = createBinder<undefined>({
  validators,
  expectations,
  begin: () => undefined,
  onError: (error) => ({ status: 400, body: { message: String(error) } }),
  bodyLimit: 512_000,
});
const router = Router({ caseSensitive: true, strict: true });
const unused = async (): Promise<never> => {
  throw new Error("Only POST is measured.");
};
// The headers that every operation declares are left to the server, and this one has none.
type Headers = "X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset" | "X-Request-Id";
const pages: Routes.PagesHandlers<undefined, Headers> = {
  createPage: async () => ({ status: 200, body: page }),
  retrievePage: unused,
  updatePage: unused,
};
registerRoutes<undefined, Headers>(router, { pages }, bind);

listen((request, response) => {
  router(request, response, () => response.writeHead(404).end());
});
