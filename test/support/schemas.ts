import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { ApiDocument, Node } from "./api-document.js";

/** Keywords that OpenAPI and the project's document add to JSON Schema. */
const ANNOTATIONS = ["example", "x-expected"];

const FORMATS: Record<string, (text: string) => boolean> = {
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text),
  "date-time": (text) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text)),
  uri: (text) => URL.canParse(text),
};

/** Validates values against schemas of a document, with Ajv instead of the toolkit that is under test. */
export class Schemas {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: ApiDocument) {
    // Strict, because unknown keywords and formats are not checked.
    this.#ajv = new Ajv2020({
      allErrors: true,
      strictTypes: false,
      strictRequired: false,
      formats: FORMATS,
      // Validates a value against the schema of its tag alone, instead of each of up to 33. Ajv refuses duplicate tags.
      discriminator: true,
      // Without optimizations, because compiling takes most processes of the tests longer than validating.
      code: { optimize: false },
      inlineRefs: false,
    });
    if (typeof document.root !== "object" || document.root === null)
      throw new Error("The document is no object.");
    // The document is not a schema itself; its schemas are referenced by JSON pointers.
    this.#ajv.addVocabulary([...ANNOTATIONS, ...Object.keys(document.root)]);
    this.#ajv.addSchema(
      { $id: "openapi.json", ...adaptDiscriminators(document.root) },
      undefined,
      undefined,
      false,
    );
  }

  /**
   * Validates a value against a schema.
   *
   * @returns The errors with their paths; empty for a valid value.
   */
  problems(schema: Node, value: unknown): string[] {
    let validate = this.#compiled.get(schema.pointer);
    if (!validate) {
      const steps = schema.pointer.split("/").map(encodeURIComponent).join("/");
      validate = this.#ajv.compile({ $ref: `openapi.json#${steps}` });
      this.#compiled.set(schema.pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath === "" ? "/" : instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/**
 * Removes the mappings of discriminators, which Ajv does not support: it reads the tags from the schemas. Adds
 * `type: object`, because Ajv ignores discriminators, and the `oneOf` beside them, for other types.
 */
function adaptDiscriminators(root: object): object {
  const adapt = (_: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null || !("discriminator" in value)) return value;
    // The cast: the object of the discriminator has this member.
    const { propertyName } = value.discriminator as { propertyName: string };
    return { ...value, type: "object", discriminator: { propertyName } };
  };
  // The cast: a copy of an object.
  return JSON.parse(JSON.stringify(root), adapt) as object;
}
