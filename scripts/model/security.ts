import type { BuildContext } from "./context.js";
import type { SecurityAlternative, SecurityScheme } from "./model.js";
import { decodePercent, unescapePointer } from "../json.js";
import { MAX_COMPARED_NAMES, suggestName } from "../text.js";
import { type DocumentNode, getMember, listMembers, listItems, listTexts, getText } from "./node.js";

/** Builds the security schemes, in document order. Schemes of unknown types or locations are left out. */
export function buildSecuritySchemes(context: BuildContext): SecurityScheme[] {
  return listMembers(findSecuritySchemes(context)).flatMap(([name, reference]): SecurityScheme[] => {
    const node = context.deref(reference);
    const type = getText(node, "type");
    const description = getText(node, "description") ?? "";
    switch (type) {
      case "http":
        return [{ name, type, description, scheme: (getText(node, "scheme") ?? "").toLowerCase() }];
      case "apiKey": {
        const location = getText(node, "in");
        if (location !== "header" && location !== "query" && location !== "cookie") return [];
        return [{ name, type, description, in: location, key: getText(node, "name") ?? "" }];
      }
      case "oauth2":
        return [{ name, type, description, scopes: readScopes(node) }];
      case "openIdConnect":
        return [{ name, type, description, url: getText(node, "openIdConnectUrl") ?? "" }];
      case "mutualTLS":
        return [{ name, type, description }];
      default:
        return [];
    }
  });
}

function findSecuritySchemes({ root }: BuildContext): DocumentNode | undefined {
  return getMember(getMember(root, "components"), "securitySchemes");
}

/** Reads the scopes of all flows of an OAuth 2 scheme. Returns their descriptions by scope. */
function readScopes(scheme: DocumentNode | undefined): Record<string, string> {
  const scopes = new Map<string, string>();
  for (const [, flow] of listMembers(getMember(scheme, "flows"))) {
    for (const [scope, { value }] of listMembers(getMember(flow, "scopes")))
      scopes.set(scope, typeof value === "string" ? value : "");
  }
  return Object.fromEntries(scopes);
}

/**
 * Builds the alternative requirements of an operation, or else of the document. An empty list makes an operation public, and an
 * alternative without schemes allows anonymous requests.
 */
export function buildSecurity(operation: DocumentNode, context: BuildContext): SecurityAlternative[] {
  const schemes = findSecuritySchemes(context);
  const requirement = getMember(operation, "security") ?? getMember(context.root, "security");
  if (!requirement) return [];
  // Built once, so that a mistake in the requirement of the document is not reported for each operation.
  return context.buildOnce("security requirement", requirement, () =>
    listItems(requirement).map((alternative) =>
      listMembers(alternative).map(([key, scopes]) => {
        const scheme = getSchemeName(key, schemes);
        if (!getMember(schemes, scheme))
          context.warn(
            scopes,
            `The security scheme ${JSON.stringify(scheme)} is ${describeMissingScheme(scheme, schemes)}`,
          );
        return { scheme, scopes: listTexts(alternative, key) };
      }),
    ),
  );
}

/** Returns the name of the scheme that a key of a security requirement identifies: in OpenAPI 3.2, the key can be a URI. */
function getSchemeName(key: string, schemes: DocumentNode | undefined): string {
  const name = /^#\/components\/securitySchemes\/([^/]+)$/.exec(key)?.[1];
  return name === undefined || getMember(schemes, key) ? key : unescapePointer(decodePercent(name));
}

function describeMissingScheme(scheme: string, schemes: DocumentNode | undefined): string {
  if (/[#/]/.test(scheme))
    return "in another document, where it is not looked up. Add it to securitySchemes, and use its name.";
  const names = listMembers(schemes).map(([name]) => name);
  const intendedName = suggestName(scheme, names, MAX_COMPARED_NAMES);
  return intendedName === undefined
    ? "not declared. Add it to securitySchemes."
    : `not declared. Did you mean ${JSON.stringify(intendedName)}?`;
}
