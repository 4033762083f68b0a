import { DiagnosticError } from "../diagnostic.js";
import { isObject } from "../json.js";
import type { ParsedFile } from "./parsed-file.js";
import { locateInFile } from "./locations.js";

const VERSIONS = ["3.0", "3.1", "3.2"] as const;

/** A supported version of OpenAPI, without the patch level. */
export type OpenApiVersion = (typeof VERSIONS)[number];

/** Reads the OpenAPI version of a root file. Throws a DiagnosticError if it is missing or not supported. */
export function readOpenApiVersion({ source, parsed }: ParsedFile): OpenApiVersion {
  const createError = (message: string, pointer = ""): DiagnosticError =>
    new DiagnosticError(message, locateInFile(source, pointer));
  if (source.body.trim() === "" || parsed === null || parsed === undefined)
    throw createError("The document is empty. Begin it with `openapi: 3.1.0`, `info` and `paths`.");
  if (!isObject(parsed))
    throw createError("The document is not an object. Begin it with `openapi: 3.1.0`, `info` and `paths`.");
  if (Object.hasOwn(parsed, "swagger"))
    throw createError(
      "Swagger 2.0 is not supported. Convert the document to OpenAPI 3.0 or 3.1.",
      "/swagger",
    );
  const name = Object.keys(parsed).find((key) => key.toLowerCase() === "openapi");
  if (name === undefined)
    throw createError(
      "The field `openapi` is missing, so this is not an OpenAPI document. Add `openapi: 3.1.0`.",
    );
  if (name !== "openapi")
    throw createError(`The field must be called \`openapi\`, not \`${name}\`.`, `/${name}`);
  const text = parsed[name];
  if (typeof text !== "string")
    throw createError(
      `The OpenAPI version must be text. Write \`openapi: "3.1.0"\`, all three parts.`,
      "/openapi",
    );
  const version = VERSIONS.find((each) => text.startsWith(`${each}.`) && /^\d\.\d\.\d+$/.test(text));
  if (version !== undefined) return version;
  throw createError(
    `OpenAPI ${JSON.stringify(text.slice(0, 40))} is not supported. Write the document in 3.0.x, 3.1.x or 3.2.x.`,
    "/openapi",
  );
}
