import type { BuildContext } from "./context.js";
import type { Components } from "./model.js";
import { type Node, getMember, listMembers } from "./node.js";
import { buildParameter } from "./parameters.js";
import { buildRequestBody } from "./request-body.js";
import { buildHeader, buildResponseContent } from "./responses.js";

/** Builds all components other than schemas. Problems in unused components are not reported. */
export function buildComponents(reporting: BuildContext): Components {
  const context = reporting.withoutReports();
  const components = getMember(context.root, "components");
  const section = <T>(name: string, build: (name: string, node: Node) => T | undefined): Map<string, T> =>
    new Map(
      listMembers(getMember(components, name)).flatMap(([key, node]): [string, T][] => {
        const part = build(key, node);
        return part === undefined ? [] : [[key, part]];
      }),
    );
  return {
    parameters: section("parameters", (_, node) => buildParameter(node, "request", context)),
    requestBodies: section("requestBodies", (_, node) => buildRequestBody(node, "request", context)),
    responses: section("responses", (_, node) => buildResponseContent(node, "response", context)),
    headers: section("headers", (name, node) => buildHeader(name, node, "response", context)),
  };
}
