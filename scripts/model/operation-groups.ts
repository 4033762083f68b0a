import { getRequired, groupBy } from "../maps.js";
import { compareText } from "../text.js";
import type { BuildContext } from "./context.js";
import type { Operation, OperationGroup } from "./model.js";
import { assignUniqueNames, makeGroupName, toPascalCase } from "./names.js";
import { getMember, getText, listItems } from "./node.js";

/** Groups operations by their first tag. */
export function buildGroups(operations: readonly Operation[], context: BuildContext): OperationGroup[] {
  const tagObjects = listItems(getMember(context.root, "tags"));
  const operationsByTag = groupBy(operations, ({ tags: [tag] }) => tag || "default");
  const tags = [...operationsByTag.keys()].sort(compareText);
  const names = assignUniqueNames(
    tags,
    (tag) => makeGroupName(tag) || "untitled",
    (tag) => tag,
  );
  const typeNames = assignUniqueNames(
    tags,
    (tag) => toPascalCase(getRequired(names, tag)) || "Untitled",
    (tag) => tag,
  );
  const groups = tags.map((tag): OperationGroup => {
    const tagObject = tagObjects.find((each) => getText(each, "name") === tag);
    return {
      tag,
      description: getText(tagObject, "description") ?? "",
      name: getRequired(names, tag),
      interfaceName: `${getRequired(typeNames, tag)}Handlers`,
      operations: getRequired(operationsByTag, tag),
    };
  });
  reportSimilarTags(groups, context);
  return groups;
}

/** Warns about each tag whose interface has a number in its name, because another tag gives the same name. */
function reportSimilarTags(groups: readonly OperationGroup[], { warn }: BuildContext): void {
  const tags = new Map(groups.map(({ tag, interfaceName }) => [interfaceName.toLowerCase(), tag]));
  for (const { tag, interfaceName, operations } of groups) {
    const other = tags.get(`${toPascalCase(makeGroupName(tag))}Handlers`.toLowerCase()) ?? tag;
    if (other !== tag)
      warn(
        `${operations[0]?.pointer}/tags/0`,
        `The tags ${JSON.stringify(other)} and ${JSON.stringify(tag)} give the same name, so the operations of ${JSON.stringify(tag)} are in ${interfaceName}. Write both alike, or rename one.`,
      );
  }
}
