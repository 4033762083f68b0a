import { walkValues } from "../json-schema/walk-values.js";
import type { BuildContext } from "./context.js";
import { type DocumentNode, getMember, listMembers } from "./node.js";

/**
 * Reports features of OpenAPI 3.2 that the toolkit does not support, other than those of messages. Methods of callbacks are not searched,
 * because generated code has only types for them.
 */
export function reportUnsupportedFeatures(context: BuildContext): void {
  const { document, root } = context;
  if (!context.isOpenApi32) return;
  const self = getMember(root, "$self");
  if (self)
    context.warn(
      self,
      "`$self` is used only for references to this file. Those to other files are resolved against its path.",
    );
  for (const [name, reference] of ["paths", "webhooks"].flatMap((key) => listMembers(getMember(root, key)))) {
    const pathItem = name.startsWith("x-") ? undefined : context.deref(reference);
    for (const key of ["query", "additionalOperations"])
      reportUnsupportedMember(pathItem, key, "Use one of the methods of 3.1.", context);
  }
  for (const { value, pointer, kind } of walkValues(document)) {
    const discriminator = kind === "schema" ? getMember({ value, pointer }, "discriminator") : undefined;
    reportUnsupportedMember(discriminator, "defaultMapping", "Name every value in `mapping`.", context);
  }
}

/** Reports a member of OpenAPI 3.2, if an object has it. In documents of other versions it is ignored as unknown. */
export function reportUnsupportedMember(
  owner: DocumentNode | undefined,
  key: string,
  remedy: string,
  context: BuildContext,
): void {
  const member = context.isOpenApi32 ? getMember(owner, key) : undefined;
  if (member) context.error(member, `\`${key}\` of OpenAPI 3.2 is not supported. ${remedy}`);
}
