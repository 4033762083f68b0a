import { MAX_NAME_LENGTH } from "../../access/checks.js";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../access/accounts/passwords.js";
import type { FieldMessages } from "../../errors.js";
import { html, type Html, type HtmlValue } from "../html.js";
import { type Notice, renderNotice } from "./elements.js";

/** The reason why a form was refused: a message for the top of the page, or the messages that its fields show. */
export interface FormError {
  readonly message?: string;
  readonly fields?: FieldMessages;
  /** Status of the response that shows the form again. */
  readonly status: 400 | 403 | 429 | 503;
}

/** The result of the form that led to a page. */
export interface FormResult {
  readonly notice?: Notice | undefined;
  readonly error?: FormError | undefined;
}

/** Renders the notice of a form, or its error, unless its fields show that. */
export function renderFormResult({ notice, error }: FormResult): HtmlValue {
  if (error === undefined) return renderNotice(notice);
  return error.message !== undefined && renderNotice({ kind: "bad", text: error.message });
}

/**
 * Renders a form that changes something, with the CSRF token that the handlers in form.ts check. Browsers do not validate it, because
 * they show one message at a time.
 */
export function renderPostForm(action: string, csrfToken: string, content: Html, className?: string): Html {
  return html`<form
    ${className !== undefined && html`class="${className}"`}
    method="post"
    action="${action}"
    novalidate
  >
    <input type="hidden" name="csrf" value="${csrfToken}" />
    ${content}
  </form>`;
}

/** Renders the options of a select from pairs of a value and a text. */
export function renderOptions(
  options: readonly (readonly [value: string, text: string])[],
  selected?: string,
): Html[] {
  return options.map(
    ([value, text]) =>
      html`<option value="${value}" ${value === selected && html`selected`}>${text}</option>`,
  );
}

interface InputField {
  /** Name and id of the input. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly attributes: Html;
}

/** Renders an input with its label, the message about its value, and the hint. The first invalid input has the focus. */
export function renderInputField(
  { name, label, hint, attributes }: InputField,
  error: FormError | undefined,
): Html {
  const message = error?.fields?.[name];
  const isFirst = Object.keys(error?.fields ?? {})[0] === name;
  const descriptionIds = [
    ...(message === undefined ? [] : [`${name}-error`]),
    ...(hint === undefined ? [] : [`${name}-hint`]),
  ];
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${message !== undefined && html`<span class="field-error" id="${name}-error">${message}</span>`}
    <input
      id="${name}"
      name="${name}"
      ${attributes}
      required
      ${message !== undefined && html`aria-invalid="true" ${isFirst && html`autofocus`}`}
      ${descriptionIds.length > 0 && html`aria-describedby="${descriptionIds.join(" ")}"`}
    />
    ${hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>`}
  </div>`;
}

/** Renders a secret with a button to copy it, with the focus like a notice. Only its hash is stored, so no later page can show it. */
export function renderNewSecret(
  id: string,
  { title, instruction, label, secret }: Record<"title" | "instruction" | "label" | "secret", string>,
): HtmlValue {
  return html`<section
    class="notice good"
    aria-labelledby="${id}-title"
    role="status"
    tabindex="-1"
    autofocus
  >
    <h2 id="${id}-title">${title}</h2>
    <p>${instruction}</p>
    <div class="copy">
      <label class="visually-hidden" for="${id}">${label}</label>
      <textarea class="mono" id="${id}" rows="2" readonly autocomplete="off" spellcheck="false">
${secret}</textarea>
      <button type="button" data-copy="${id}" hidden>Copy</button>
    </div>
    <p class="small" id="${id}-status" role="status"></p>
  </section>`;
}

/** Renders a field for the name of a person. */
export function renderNameField(value: string, error: FormError | undefined): Html {
  const attributes = html`value="${value}" autocomplete="name" maxlength="${MAX_NAME_LENGTH}"`;
  return renderInputField({ name: "name", label: "Your name", attributes }, error);
}

/** Renders a field for a password; `autocomplete` tells password managers which password it is. */
export function renderPasswordField(
  name: string,
  autocomplete: "current-password" | "new-password",
  label: string,
  error: FormError | undefined,
): Html {
  const isNew = autocomplete === "new-password";
  const attributes = html`type="password" autocomplete="${autocomplete}" maxlength="${MAX_PASSWORD_LENGTH}"
  ${isNew && html`minlength="${MIN_PASSWORD_LENGTH}"`}`;
  // A refused form does not contain the password.
  const isLost = error?.fields !== undefined && error.fields[name] === undefined;
  const hints = [
    isLost && "Enter it again.",
    isNew && `At least ${MIN_PASSWORD_LENGTH} characters, and not a common password.`,
  ].filter((each) => each !== false);
  const hint = hints.length === 0 ? undefined : hints.join(" ");
  return renderInputField({ name, label, hint, attributes }, error);
}

/** Renders a hidden field with the e-mail address of the account, so that password managers update its entry. */
export function renderUsernameField(email: string): Html {
  return html`<input type="text" name="email" value="${email}" autocomplete="username" readonly hidden />`;
}
