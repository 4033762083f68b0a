import { html, type Html } from "../html.js";
import { type FormError, renderInputField } from "./form-elements.js";

/** Renders a field for a password; `autocomplete` tells password managers which password it is. */
export function renderPasswordField(
  name: string,
  autocomplete: "current-password" | "new-password",
  label: string,
  error: FormError | undefined,
): Html {
  const isNew = autocomplete === "new-password";
  const attributes = html`type="password" autocomplete="${autocomplete}" maxlength="200"
  ${isNew && html`minlength="10"`}`;
  const hint = isNew ? "At least 10 characters, and not a common password." : undefined;
  return renderInputField({ name, label, hint, attributes }, error);
}

/** Renders a hidden field with the e-mail address of the account, so that password managers update its entry. */
export function renderUsernameField(email: string): Html {
  return html`<input type="text" name="email" value="${email}" autocomplete="username" readonly hidden />`;
}
