import type { components } from "../../../generated/types.js";
import { collectMentions, hasNoMentions } from "../../domain/mentions.js";
import type { Page } from "../../domain/page.js";
import { renderProperties, type References } from "../../domain/properties/render.js";
import type { PropertyDefinition, Schema } from "../../domain/schema.js";
import type { PageWithSchema, VersionedPage } from "../../storage/pages.js";
import { entityTag } from "../check/entity-tag.js";
import { isSelfContained, loadReferences, NO_REFERENCES, type UserBody } from "./references.js";
import type { Scope } from "../scope.js";
import { nameMentions } from "./mentions.js";
import { presentObject } from "./object.js";
import { objectUrl } from "./url.js";

/** A page as responses show it. */
export type PageBody = components["schemas"]["Page"];

/** A page with its entity tag. */
export interface PageResult {
  readonly body: PageBody;
  readonly entityTag: string;
}

/** Presents a page with its entity tag. */
export async function presentPage(
  scope: Scope,
  page: PageWithSchema & Pick<VersionedPage, "version">,
  only?: readonly PropertyDefinition[],
): Promise<PageResult> {
  const [body] = await presentPages(scope, [page], only);
  if (body === undefined) throw new Error("presentPages left out a page");
  return { body, entityTag: entityTag(page) };
}

/**
 * Presents pages in their order.
 *
 * @param only the properties to show, of the one schema that all pages have; all when omitted
 */
export async function presentPages(
  scope: Scope,
  pages: readonly PageWithSchema[],
  only?: readonly PropertyDefinition[],
): Promise<PageBody[]> {
  const bySchema = new Map<Schema, PageWithSchema[]>();
  for (const page of pages) bySchema.set(page.schema, [...(bySchema.get(page.schema) ?? []), page]);
  const bodies = new Map<string, PageBody>();
  for (const [schema, group] of bySchema) {
    const references = await loadReferences(
      scope,
      schema,
      only ?? schema.definitions,
      group.map(({ page }) => page),
    );
    const shown = only === undefined ? undefined : new Set(only);
    for (const { page } of group)
      bodies.set(page.id, toBody(scope, schema, page, references(page.id), shown));
  }
  const inOrder = pages.flatMap(({ page }) => bodies.get(page.id) ?? []);
  return nameMentions(scope, inOrder);
}

/**
 * Presents a page whose body depends on nothing but the page and its schema.
 *
 * @returns undefined when the page refers to users, other pages or databases
 */
export function presentSelfContained(scope: Scope, { page, schema }: PageWithSchema): PageBody | undefined {
  if (!isSelfContained(schema.definitions)) return undefined;
  const body = toBody(scope, schema, page, NO_REFERENCES, undefined);
  return hasNoMentions(collectMentions(body.properties)) ? body : undefined;
}

function toBody(
  { urls }: Scope,
  schema: Schema,
  page: Page,
  references: References<UserBody>,
  only: ReadonlySet<PropertyDefinition> | undefined,
): PageBody {
  return {
    object: "page",
    ...presentObject(page),
    icon: page.icon,
    cover: page.cover,
    properties: renderProperties(schema, page, references, only),
    url: objectUrl(urls, page.id),
    public_url: null,
  };
}
