import { OverloadedError, TooManyAttemptsError, UserError } from "../access/checks.js";
import type { FormError } from "./pages/form-elements.js";

/**
 * Converts an error of a use case to a form error with the status of the response.
 *
 * @throws the error itself when the visitor cannot correct it
 */
export function toFormError(error: unknown): { error: FormError; status: number } {
  if (error instanceof UserError) {
    return { error: { field: error.field, message: error.message }, status: 400 };
  }
  if (error instanceof TooManyAttemptsError) {
    return { error: { field: undefined, message: error.message }, status: 429 };
  }
  if (error instanceof OverloadedError) {
    const message = "Too many people are signing in at the moment. Try again soon.";
    return { error: { field: undefined, message }, status: 503 };
  }
  throw error;
}
