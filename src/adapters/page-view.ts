import type { Kysely } from "kysely";
import type { components } from "../../generated/types.js";
import { DomainError } from "../domain/errors.js";
import { mentionedIn, mentionsNothing } from "../domain/mentions.js";
import type { Page } from "../domain/page.js";
import { renderProperties, type References } from "../domain/properties/render.js";
import { findProperty, type PropertyDefinition, type Schema } from "../domain/schema.js";
import type { PageWithSchema } from "../storage/pages.js";
import { isSelfContained, loadReferences } from "../storage/references.js";
import type { Tables } from "../storage/tables.js";
import { findUsers } from "../storage/users.js";
import { nameMentions, objectUrl } from "./mentions.js";
import { renderParent } from "./render-database.js";
import { renderUser } from "./users.js";

/** A page as responses show it. */
export type PageBody = components["schemas"]["Page"];

/** A user as the values of properties show it. */
export type UserBody = components["schemas"]["UserReference"];

/** Whose pages are shown, and where. */
export interface Viewer {
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** Address of the web application, which page addresses begin with. */
  readonly appUrl: string;
}

/**
 * Makes what responses show of pages, in their order.
 *
 * @param wanted names or ids of the properties to show; all when it is left out
 * @throws DomainError (validation) when a wanted property is not one of the page's
 */
export async function renderPages(
  db: Kysely<Tables>,
  viewer: Viewer,
  pages: readonly PageWithSchema[],
  wanted?: readonly string[],
): Promise<PageBody[]> {
  const bySchema = new Map<Schema, PageWithSchema[]>();
  for (const page of pages) bySchema.set(page.schema, [...(bySchema.get(page.schema) ?? []), page]);
  const bodies = new Map<string, PageBody>();
  for (const [schema, group] of bySchema) {
    const chosen = wanted === undefined ? undefined : chooseProperties(schema, wanted);
    const references = await referencesOf(
      db,
      viewer,
      schema,
      chosen === undefined ? schema.definitions : [...chosen],
      group.map(({ page }) => page),
    );
    for (const { page } of group) {
      bodies.set(page.id, renderPage(viewer, schema, page, references(page.id), chosen));
    }
  }
  const inOrder = pages.flatMap(({ page }) => bodies.get(page.id) ?? []);
  return nameMentions(db, viewer.workspaceId, viewer.appUrl, inOrder);
}

/** Reads what the values of pages refer to, see loadReferences. */
export async function referencesOf(
  db: Kysely<Tables>,
  { workspaceId, workspaceName }: Pick<Viewer, "workspaceId" | "workspaceName">,
  schema: Schema,
  properties: readonly PropertyDefinition[],
  pages: readonly Page[],
): Promise<(pageId: string) => References<UserBody>> {
  if (isSelfContained(properties)) return () => NO_REFERENCES;
  return loadReferences<UserBody>(
    db,
    workspaceId,
    schema,
    properties,
    pages,
    async (ids) => {
      const users = await findUsers(db, workspaceId, ids);
      return new Map(users.map((user) => [user.id, renderUser(user, workspaceName)]));
    },
    (id) => ({ object: "user", id }),
  );
}

/** For the values of pages that refer to nothing. */
const NO_REFERENCES: References<UserBody> = {
  user: (id) => ({ object: "user", id }),
  links: () => ({ pageIds: [], hasMore: false }),
  rollup: ({ function: name }) => ({ type: "number", number: null, function: name }),
};

/** Makes what responses show of a page; undefined when its values refer to something that is to be looked up. */
export function renderSelfContained(viewer: Viewer, { page, schema }: PageWithSchema): PageBody | undefined {
  if (!isSelfContained(schema.definitions)) return undefined;
  const body = renderPage(viewer, schema, page, NO_REFERENCES, undefined);
  return mentionsNothing(mentionedIn(body.properties)) ? body : undefined;
}

/**
 * The properties that a request wants to see, as `filter_properties` says it; undefined for all. There are clients that
 * send the text "null" for all.
 */
export function propertiesWanted(
  schema: Schema,
  keys: readonly string[] | undefined,
): readonly string[] | undefined {
  const [first] = keys ?? [];
  if (keys?.length === 1 && first === "null" && findProperty(schema, first) === undefined) return undefined;
  return keys;
}

/**
 * Finds the properties that a request wants to see.
 *
 * @throws DomainError (validation) when there is one that the schema does not have
 */
function chooseProperties(schema: Schema, keys: readonly string[]): ReadonlySet<PropertyDefinition> {
  return new Set(keys.map((key) => requireProperty(schema, key)));
}

/**
 * Finds the property that a request asks for.
 *
 * @throws DomainError (validation) when the schema does not have it
 */
export function requireProperty(schema: Schema, key: string): PropertyDefinition {
  const property = findProperty(schema, key);
  if (property === undefined) {
    throw new DomainError("validation", `Could not find property with name or id: ${key}`);
  }
  return property;
}

function renderPage(
  { appUrl }: Viewer,
  schema: Schema,
  page: Page,
  references: References<UserBody>,
  chosen: ReadonlySet<PropertyDefinition> | undefined,
): PageBody {
  return {
    object: "page",
    id: page.id,
    created_time: new Date(page.createdTime).toISOString(),
    last_edited_time: new Date(page.lastEditedTime).toISOString(),
    created_by: { object: "user", id: page.createdBy },
    last_edited_by: { object: "user", id: page.lastEditedBy },
    icon: page.icon,
    cover: page.cover,
    parent: renderParent(page.parent),
    archived: page.inTrash,
    in_trash: page.inTrash,
    properties: renderProperties(schema, page, references, chosen),
    url: objectUrl(appUrl, page.id),
    public_url: null,
  };
}
