import type { BuildContext } from "./context.js";
import { listOperations } from "./path-item.js";
import { walkGraph } from "../walk-graph.js";
import { type DocumentNode, getMember, getText, listItems, listMembers } from "./node.js";

/**
 * Reports the features of OpenAPI 3.2 that the toolkit does not support. Its other additions are supported or only affect
 * documentation. The methods and bodies of callbacks are not searched, because generated code has only types for them.
 */
export function reportUnsupportedFeatures(context: BuildContext): void {
  const { document, root } = context;
  if (!String(document.openapi).startsWith("3.2")) return;
  const report = (owner: DocumentNode | undefined, key: string, feature: string, remedy: string): void => {
    const node = getMember(owner, key);
    if (node) context.error(node, `${feature} of OpenAPI 3.2 is not supported. ${remedy}`);
  };
  const reportContent = (reference: DocumentNode | undefined): void => {
    const message = reference && context.deref(reference);
    for (const [, mediaType] of listMembers(getMember(message, "content")))
      for (const key of ["itemEncoding", "prefixEncoding"])
        report(
          context.deref(mediaType),
          key,
          `\`${key}\``,
          "Declare the parts as properties, with `encoding`.",
        );
  };
  const self = getMember(root, "$self");
  if (self)
    context.warn(
      self,
      "`$self` is used only for references to this file. Those to other files are resolved against its path.",
    );
  const pathItems = ["paths", "webhooks"].flatMap((key) => listMembers(getMember(root, key)));
  for (const [name, reference] of pathItems) {
    const pathItem = name.startsWith("x-") ? undefined : context.deref(reference);
    if (!pathItem) continue;
    const remedy = "Use one of the methods of 3.1.";
    report(pathItem, "query", "The method QUERY", remedy);
    report(pathItem, "additionalOperations", "`additionalOperations`", remedy);
    for (const [, operation] of listOperations(pathItem)) {
      reportContent(getMember(operation, "requestBody"));
      for (const [, response] of listMembers(getMember(operation, "responses"))) reportContent(response);
    }
  }
  const listChildren = (node: DocumentNode): DocumentNode[] => [
    ...listMembers(node).map(([, member]) => member),
    ...listItems(node),
  ];
  for (const node of walkGraph([root], listChildren)) {
    const discriminator = getMember(node, "discriminator");
    // An example can have a member `discriminator`, but hardly one with a `propertyName`.
    if (getText(discriminator, "propertyName") !== undefined)
      report(discriminator, "defaultMapping", "`defaultMapping`", "Name every value in `mapping`.");
  }
}
