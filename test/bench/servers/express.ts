/** The other side of the POST comparison: Express 5 with express-openapi-validator, on the same document. */
import { fileURLToPath } from "node:url";
import express, { type NextFunction, type Request, type Response } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import { page } from "./create-page.js";
import { listen } from "./listen.js";

const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.use(express.json({ limit: 512_000 }));
app.use(
  OpenApiValidator.middleware({
    apiSpec: fileURLToPath(new URL("../../../generated/openapi.json", import.meta.url)),
    validateRequests: true,
    // The other side checks neither keys nor responses.
    validateSecurity: false,
    validateResponses: false,
  }),
);
app.post("/v1/pages", async (_request, response) => {
  response.json(page);
});
// Express recognizes error handlers by their four parameters.
app.use((error: Error & { status?: number }, _request: Request, response: Response, _next: NextFunction) => {
  response.status(error.status ?? 500).json({ message: error.message });
});

listen(app);
