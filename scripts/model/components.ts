import type { BuildContext } from "./context.js";
import type { Components } from "./model.js";
import { type Node, child, entries } from "./node.js";
import { buildParameter } from "./parameters.js";
import { buildHeader, buildRequestBody, buildResponseContent } from "./payloads.js";

/** The components other than schemas, also those that no operation uses. Only used ones can be wrong. */
export function buildComponents(reporting: BuildContext): Components {
  const context = reporting.silent();
  const root = child({ value: context.document, pointer: "" }, "components");
  const section = <T>(name: string, build: (name: string, node: Node) => T | undefined): Map<string, T> =>
    new Map(
      entries(root && child(root, name)).flatMap(([key, node]): [string, T][] => {
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
