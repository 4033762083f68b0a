import { TooManyAttemptsError, UserError } from "../access/errors.js";
import { BusyError } from "../storage/engine/errors.js";
import type { FormError } from "./pages/form-elements.js";

/**
 * Converts an error of a use case to a form error.
 *
 * @throws the error itself when the visitor cannot correct it
 */
export function toFormError(error: unknown): FormError {
  if (error instanceof UserError) return { field: error.field, message: error.message, status: 400 };
  if (error instanceof TooManyAttemptsError) return { field: undefined, message: error.message, status: 429 };
  if (error instanceof BusyError) {
    const message = "Too many people are signing in at the moment. Try again soon.";
    return { field: undefined, message, status: 503 };
  }
  throw error;
}
