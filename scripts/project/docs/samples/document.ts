import { bundle, createConfig } from "@redocly/openapi-core";
import { format } from "prettier";
import { buildApi } from "../../../model/build.js";
import type { JsonObject } from "../../../model/model.js";
import { addCodeSamples, type CodeSample, codeSamples } from "./samples.js";

/** The width of the panel that shows samples, in characters. */
const WIDTH = 64;

/** The project's own document, bundled, with its members in the order in which they were written. */
async function readDocument(specFile: string): Promise<JsonObject> {
  const { bundle: bundled } = await bundle({ ref: specFile, config: await createConfig({}) });
  // The cast: bundling gives the parsed YAML, and the generator refuses a document that is anything else.
  return bundled.parsed as JsonObject;
}

/**
 * The samples of a document's operations, laid out for people.
 *
 * @param specFile path of the root file of a document that the generator accepts
 */
export async function createSamples(specFile: string): Promise<CodeSample[]> {
  return makeSamples(await readDocument(specFile), specFile);
}

/** The bundled document with a sample of each operation, for Redocly. */
export async function documentWithSamples(specFile: string): Promise<JsonObject> {
  const document = await readDocument(specFile);
  addCodeSamples(document, await makeSamples(document, specFile));
  return document;
}

function makeSamples(document: JsonObject, specFile: string): Promise<CodeSample[]> {
  const { api } = buildApi(document, (pointer) => ({ file: specFile, line: 1, col: 1, pointer }));
  return codeSamples(api, (text, parser) => format(text, { parser, printWidth: WIDTH }));
}
