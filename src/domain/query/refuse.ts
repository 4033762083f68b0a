import { DomainError } from "../errors.js";
import { refuseShape } from "../properties/refusal.js";

/**
 * The error for a part of a query that is not as it should be, in the words in which the document's own rules are told.
 *
 * @param place path in the request, such as `body.filter.and[0]`
 * @param expected what stands after "should be"
 */
export function shapeError(place: string, expected: string, seen: unknown): DomainError {
  return new DomainError("validation", refuseShape(place, expected, seen).sentence);
}
