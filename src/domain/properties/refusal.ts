import { shapeError } from "../errors.js";

/** The reason why a value is invalid. Returned instead of thrown, so that one response reports several problems. */
export class Refusal {
  constructor(readonly message: string) {}
}

/** Creates a refusal worded like the errors of schema validation. */
export function refuseShape(path: string, expected: string, actual: unknown): Refusal {
  return new Refusal(shapeError(path, expected, actual).message);
}

/** Returns the path of a property in a request body. */
export function propertyPath(name: string): string {
  const segment = /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return `body.properties${segment}`;
}

/** Whether a value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
