import type { Diagnostic } from "../diagnostic.js";
import { isObject } from "../json.js";
import type { ParsedFile } from "./parsed-file.js";
import { locateInFile } from "./locations.js";

/** A supported version of OpenAPI, without the patch level. */
export type OpenApiVersion = "3.0" | "3.1" | "3.2";

/** Reads the OpenAPI version of a root file. Returns an error if it is missing or not supported. */
export function readOpenApiVersion(file: ParsedFile): OpenApiVersion | Diagnostic {
  const createError = (message: string, pointer = ""): Diagnostic => ({
    severity: "error",
    message,
    position: locateInFile(file.source, pointer),
  });
  const { parsed } = file;
  if (file.source.body.trim() === "" || parsed === null || parsed === undefined)
    return createError("The document is empty. Begin it with `openapi: 3.1.0`, `info` and `paths`.");
  if (!isObject(parsed))
    return createError("The document is not an object. Begin it with `openapi: 3.1.0`, `info` and `paths`.");
  if (Object.hasOwn(parsed, "swagger"))
    return createError(
      "Swagger 2.0 is not supported. Convert the document to OpenAPI 3.0 or 3.1.",
      "/swagger",
    );
  const misspelled = Object.keys(parsed).find((key) => key.toLowerCase() === "openapi");
  if (misspelled !== undefined && misspelled !== "openapi")
    return createError(`The field must be called \`openapi\`, not \`${misspelled}\`.`, `/${misspelled}`);
  if (misspelled === undefined)
    return createError(
      "The field `openapi` is missing, so this is not an OpenAPI document. Add `openapi: 3.1.0`.",
    );
  const version = parsed["openapi"];
  if (typeof version !== "string")
    return createError(
      `The OpenAPI version must be text. Write \`openapi: "3.1.0"\`, all three parts.`,
      "/openapi",
    );
  if (/^3\.0\.\d+$/.test(version)) return "3.0";
  if (/^3\.1\.\d+$/.test(version)) return "3.1";
  if (/^3\.2\.\d+$/.test(version)) return "3.2";
  return createError(
    `OpenAPI ${JSON.stringify(version.slice(0, 40))} is not supported. Write the document in 3.0.x, 3.1.x or 3.2.x.`,
    "/openapi",
  );
}
