import { createDocLines } from "../../code/encode.js";
import { printInterface, printTypeAlias } from "../../code/print-source.js";
import type { Operation } from "../../model/model.js";
import { needsExplicitContentType } from "../content-type.js";
import type { MessageTypes } from "../message-types.js";

/** Declares `RetrievePageRequest`: an interface, or a union type when the body can have several media types. */
export function declareRequest(operation: Operation, types: MessageTypes): string {
  const { summary, typeName, webhook, body } = operation;
  const name = `${typeName}Request`;
  const docs = createDocLines(`Request of ${formatTitle(operation)}`, webhook === undefined ? "" : summary);
  const parameters = types.printParameters(operation, false);
  const alternatives = types.printBodyAlternatives(operation);
  if (!needsExplicitContentType(body?.mediaTypes ?? []))
    return printInterface(
      name,
      [...parameters, ...alternatives.flat()].map((member) => `${member};`),
      docs,
    );
  return printTypeAlias(name, printUnion(alternatives.map((each) => [...parameters, ...each])), docs);
}

/** Declares `RetrievePageResponse`: a union with one member for each status and media type in the document. */
export function declareResponse(operation: Operation, types: MessageTypes): string {
  const members = operation.responses
    // A key such as 4XX has no statuses if all of them are declared separately.
    .filter(({ statuses }) => statuses.length > 0)
    .flatMap((response) => types.printResponseAlternatives(operation, response, response.statuses));
  const docs = createDocLines(`Response of ${formatTitle(operation)}`);
  return printTypeAlias(
    `${operation.typeName}Response`,
    members.length === 0 ? "never" : printUnion(members),
    docs,
  );
}

/** Prints a union of object types, given the members of each. */
function printUnion(alternatives: readonly string[][]): string {
  return alternatives.map((members) => `| { ${members.join("; ")} }`).join("\n");
}

function formatTitle({ method, path, webhook }: Operation): string {
  return `${method.toUpperCase()} ${webhook === undefined ? path : `of the webhook ${webhook}`}`;
}
