import type { BuildContext } from "./context.js";
import type { Components } from "./model.js";
import { type DocumentNode, getMember, listMembers } from "./node.js";
import { buildParameter } from "./parameters/parameters.js";
import { buildHeader, buildRequestBody, buildResponseContent } from "./messages.js";

/** Builds all components other than schemas, after the operations, whose parts they reuse. Unused ones report no problems. */
export function buildComponents(context: BuildContext): Components {
  const requestContext = context.withoutReports();
  const responseContext = requestContext.reverse();
  const components = getMember(context.root, "components");
  const buildSection = <T>(
    name: string,
    build: (name: string, node: DocumentNode) => T | undefined,
  ): Map<string, T> =>
    new Map(
      listMembers(getMember(components, name)).flatMap(([key, node]): [string, T][] => {
        const component = build(key, node);
        // A component with a problem is not in the model.
        return component === undefined ? [] : [[key, component]];
      }),
    );
  return {
    parameters: buildSection("parameters", (_, node) => buildParameter(node, requestContext)),
    requestBodies: buildSection("requestBodies", (_, node) => buildRequestBody(node, requestContext)),
    responses: buildSection("responses", (_, node) => buildResponseContent(node, responseContext)),
    headers: buildSection("headers", (name, node) => buildHeader(name, node, responseContext)),
  };
}
