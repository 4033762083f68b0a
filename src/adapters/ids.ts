import { parseId } from "../domain/ids.js";

/**
 * The id in a form that is stored, of a text that the validator of the request has let pass as an id.
 *
 * @throws Error when it is none all the same: a mistake of the service, not of the caller
 */
export function idFrom(text: string): string {
  const id = parseId(text);
  if (id === undefined) throw new Error(`the validator let an id pass that is none: ${JSON.stringify(text)}`);
  return id;
}
