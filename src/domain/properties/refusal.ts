import { shapeError } from "../errors.js";

/** A reason why a value is invalid, as a sentence for the caller. */
export class Refusal {
  constructor(readonly sentence: string) {}
}

/** Creates a refusal with the wording of schema validation errors. */
export function refuseShape(path: string, expected: string, seen: unknown): Refusal {
  return new Refusal(shapeError(path, expected, seen).message);
}

/** The path of a property in a request. */
export function placeOf(name: string): string {
  const step = /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return `body.properties${step}`;
}

/** Whether a value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
