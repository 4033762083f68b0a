import { shapeError } from "../errors.js";

/** Why a part of a request was not taken, as a sentence for the caller. */
export class Refusal {
  constructor(readonly sentence: string) {}
}

/** Refuses a value of a request in the words in which a value is refused that the document does not allow. */
export function refuseShape(place: string, expected: string, seen: unknown): Refusal {
  return new Refusal(shapeError(place, expected, seen).message);
}

/** Names a property in a place of a request. */
export function placeOf(name: string): string {
  const step = /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return `body.properties${step}`;
}

/** Whether a value of a request is an object, whose members can then be looked at. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
