import type { components } from "../../../generated/types.js";
import type { Page } from "../../domain/page.js";
import { renderPlain, type Links, type References } from "../../domain/properties/render.js";
import { computeRollup } from "../../domain/properties/rollup.js";
import { storedValue } from "../../domain/properties/stored.js";
import type { PlainValue } from "../../domain/properties/values.js";
import type { DefinitionOf, PropertyDefinition, Schema } from "../../domain/schema.js";
import { findRelatedDatabases } from "../../storage/databases.js";
import { findPages } from "../../storage/pages.js";
import { loadLinks, type LinksByPage } from "../../storage/relations.js";
import { findUsers } from "../../storage/users.js";
import { presentUserId } from "./object.js";
import { presentUser } from "./user.js";
import type { Scope } from "../scope.js";

/** Response body of a user in property values. */
export type UserBody = components["schemas"]["UserReference"];

/** Maximum number of links of a relation in a page's response body. */
const MAX_SHOWN_LINKS = 100;

/** The relation of a rollup, and the property of the linked pages that it reads. */
interface RollupSource {
  readonly relation: DefinitionOf<"relation">;
  readonly target: Exclude<PropertyDefinition, { readonly type: "rollup" }>;
}

const NO_LINKS: Links = { pageIds: [], hasMore: false };

/** References of a page without users, relations and rollups. */
export const NO_REFERENCES: References<UserBody> = {
  user: presentUserId,
  links: () => NO_LINKS,
  rollup: ({ function: name }) => computeRollup(name, []),
};

/** Whether the values of properties depend only on the page and these properties. */
export function isSelfContained(properties: readonly PropertyDefinition[]): boolean {
  return properties.every(({ type }) => {
    switch (type) {
      case "relation":
      case "rollup":
      case "people":
      case "created_by":
      case "last_edited_by":
        return false;
      default:
        return true;
    }
  });
}

/**
 * Reads the users, links and rollups in the values of pages, for all pages at once.
 *
 * @param schema schema of the pages
 * @param properties the properties to show
 * @returns the references of a page, by its id
 */
export async function loadReferences(
  scope: Scope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
  pages: readonly Page[],
): Promise<(pageId: string) => References<UserBody>> {
  if (isSelfContained(properties)) return () => NO_REFERENCES;
  const { db, workspaceId } = scope;
  const pageIds = pages.map((page) => page.id);
  const relationIds = properties.filter(({ type }) => type === "relation").map(({ id }) => id);
  const links = await loadLinks(db, workspaceId, pageIds, relationIds, MAX_SHOWN_LINKS);

  const sources = await findRollupSources(scope, schema, properties);
  const targetProperties = [...sources.values()].map(({ target }) => target);
  const rollupRelationIds = [...new Set([...sources.values()].map(({ relation }) => relation.id))];
  const rollupLinks = await loadLinks(db, workspaceId, pageIds, rollupRelationIds);
  const targets = await findLinkedPages(scope, rollupLinks);
  const targetRelationIds = targetProperties.filter(({ type }) => type === "relation").map(({ id }) => id);
  const targetLinks = await loadLinks(
    db,
    workspaceId,
    [...targets.keys()],
    targetRelationIds,
    MAX_SHOWN_LINKS,
  );

  const userIds = [...usersIn(pages, properties), ...usersIn([...targets.values()], targetProperties)];
  const users = new Map(
    (await findUsers(db, workspaceId, [...new Set(userIds)])).map((each) => [
      each.id,
      presentUser(scope, each),
    ]),
  );
  const user = (id: string): UserBody => users.get(id) ?? presentUserId(id);

  return (pageId) => ({
    user,
    links: (property) => linksOf(links, pageId, property.id),
    rollup(rollup) {
      const source = sources.get(rollup.id);
      if (source === undefined) return computeRollup<UserBody>(rollup.function, []);
      const values = linksOf(rollupLinks, pageId, source.relation.id).pageIds.flatMap(
        (targetId): PlainValue<UserBody>[] => {
          const target = targets.get(targetId);
          if (target === undefined) return [];
          const linksOfTarget = (property: PropertyDefinition): Links =>
            linksOf(targetLinks, targetId, property.id);
          return [renderPlain(source.target, target, { user, links: linksOfTarget })];
        },
      );
      return computeRollup(rollup.function, values);
    },
  });
}

function linksOf(links: LinksByPage, pageId: string, propertyId: string): Links {
  return links.get(pageId)?.get(propertyId) ?? NO_LINKS;
}

/** Sources of rollups by the rollup's id, without rollups whose relation or target property was removed. */
async function findRollupSources(
  { db, workspaceId }: Scope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
): Promise<ReadonlyMap<string, RollupSource>> {
  const rollups = properties.flatMap((property) => {
    const relation = property.type === "rollup" ? schema.byPublicId.get(property.relationId) : undefined;
    return property.type === "rollup" && relation?.type === "relation" ? { property, relation } : [];
  });
  const related = await findRelatedDatabases(db, workspaceId, [
    ...new Set(rollups.map(({ relation }) => relation.databaseId)),
  ]);
  return new Map(
    rollups.flatMap(({ property, relation }): [string, RollupSource][] => {
      const target = related.get(relation.databaseId)?.schema.byPublicId.get(property.propertyId);
      return target === undefined || target.type === "rollup" ? [] : [[property.id, { relation, target }]];
    }),
  );
}

async function findLinkedPages(
  { db, workspaceId }: Scope,
  links: LinksByPage,
): Promise<ReadonlyMap<string, Page>> {
  const ids = new Set<string>();
  for (const ofPage of links.values()) {
    for (const { pageIds } of ofPage.values()) for (const id of pageIds) ids.add(id);
  }
  return new Map((await findPages(db, workspaceId, [...ids])).map(({ page }) => [page.id, page]));
}

function usersIn(pages: readonly Page[], properties: readonly PropertyDefinition[]): string[] {
  return properties.flatMap(({ id, type }) => {
    switch (type) {
      case "people":
        return pages.flatMap((page) => storedValue(page.properties, { id, type }) ?? []);
      case "created_by":
        return pages.map((page) => page.createdBy);
      case "last_edited_by":
        return pages.map((page) => page.lastEditedBy);
      default:
        return [];
    }
  });
}
