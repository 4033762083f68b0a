import type { Schemas } from "../../domain/api-schemas.js";
import type { Page } from "../../domain/page.js";
import { toPropertyValues, type References } from "../../domain/properties/response-values.js";
import type { PropertyDefinition, Schema } from "../../domain/schema.js";
import { getOrCreate } from "../../get-or-create.js";
import type { PageWithSchema } from "../../storage/pages/pages.js";
import { sortByIds, takeOnly } from "../../lists.js";
import type { Scope } from "../execution/scope.js";
import { resolveMentions } from "./mentions.js";
import { createObjectUrl, presentObject } from "./object.js";
import { createUserBudget, loadReferences, type ReferenceOptions } from "./load-references.js";
import { createRollupBudget } from "./rollups.js";

export type PageBody = Schemas["Page"];

export interface PageResult<Body = PageBody> {
  readonly body: Body;
  readonly entityTag: string;
}

/** Converts a page to a response body, with an entity tag. */
export async function presentPage(
  scope: Scope,
  page: PageWithSchema & { readonly version: number },
): Promise<PageResult> {
  const body = takeOnly(await presentPages(scope, [page]));
  return { body, entityTag: createEntityTag(page) };
}

/** Options for pages. `shownProperties` and `sources` are only for pages with the same schema. */
export interface PageOptions extends Omit<ReferenceOptions, "userBudget"> {
  /** The properties to show; undefined for all. */
  readonly shownProperties?: readonly PropertyDefinition[] | undefined;
}

/** Converts pages to response bodies, in their order. */
export async function presentPages(
  scope: Scope,
  pages: readonly PageWithSchema[],
  { shownProperties, sources, rollupBudget = createRollupBudget(scope) }: PageOptions = {},
): Promise<PageBody[]> {
  const bySchema = new Map<Schema, PageWithSchema[]>();
  for (const page of pages) getOrCreate(bySchema, page.schema, () => []).push(page);
  const userBudget = createUserBudget();
  const bodies: PageBody[] = [];
  for (const [schema, group] of bySchema) {
    const groupPages = group.map(({ page }) => page);
    const properties = shownProperties ?? schema.definitions;
    const references = await loadReferences(scope, schema, properties, groupPages, {
      rollupBudget,
      userBudget,
      sources,
    });
    for (const page of groupPages) bodies.push(buildBody(scope, page, properties, references(page.id)));
  }
  const ids = pages.map(({ page }) => page.id);
  return resolveMentions(scope, sortByIds(bodies, ids));
}

function buildBody(
  { urls }: Scope,
  page: Page,
  properties: readonly PropertyDefinition[],
  references: References,
): PageBody {
  return {
    object: "page",
    ...presentObject(page),
    icon: page.icon,
    cover: page.cover,
    properties: toPropertyValues(properties, page, references),
    url: createObjectUrl(urls, page.id),
    public_url: null,
  };
}

/** The parts of a page that its entity tag contains. */
export interface TaggedPage {
  readonly page: { readonly lastEditedTime: number };
  readonly version: number;
}

/** Creates the entity tag of a page from its version and, because versions repeat after a backup is restored, its last edit. */
export function createEntityTag({ version, page }: TaggedPage): string {
  return `"${version}-${page.lastEditedTime}"`;
}
