import type { Kysely } from "kysely";
import type { Page } from "../domain/page.js";
import { renderPlain, type Links, type References } from "../domain/properties/render.js";
import { computeRollup } from "../domain/properties/rollup.js";
import { storedValue } from "../domain/properties/stored.js";
import type { PlainValue } from "../domain/properties/values.js";
import type { DefinitionOf, PropertyDefinition, Schema } from "../domain/schema.js";
import { readPages } from "./pages.js";
import { loadLinks, type LinksByPage } from "./relations.js";
import { loadRelated } from "./schema-changes.js";
import type { Tables } from "./tables.js";

/** How many links of a relation pages are shown with. */
const SHOWN_LINKS = 100;

/** A property that a rollup shows the values of, and the pages that have them. */
interface RollupSource {
  readonly relation: DefinitionOf<"relation">;
  readonly target: Exclude<PropertyDefinition, { readonly type: "rollup" }>;
}

/** Gives users as responses show them, by id, those that there are. */
export type LoadUsers<User> = (ids: readonly string[]) => Promise<ReadonlyMap<string, User>>;

const NO_LINKS: Links = { pageIds: [], hasMore: false };

/** Whether the values that a page has for properties depend on nothing but the page and those properties. */
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
 * Reads what the values of pages refer to, for all of them at once.
 *
 * @param schema that of the pages
 * @param properties those of it that are to be shown
 * @param unknownUser what stands for a user that there is not
 * @returns what the values of each page refer to, by page
 */
export async function loadReferences<User>(
  db: Kysely<Tables>,
  workspaceId: string,
  schema: Schema,
  properties: readonly PropertyDefinition[],
  pages: readonly Page[],
  loadUsers: LoadUsers<User>,
  unknownUser: (id: string) => User,
): Promise<(pageId: string) => References<User>> {
  const pageIds = pages.map((page) => page.id);
  const relationIds = properties.filter(({ type }) => type === "relation").map(({ id }) => id);
  const links = await loadLinks(db, workspaceId, pageIds, relationIds, SHOWN_LINKS);

  const sources = await findSources(db, workspaceId, schema, properties);
  const rolledUp = [...new Set([...sources.values()].map(({ relation }) => relation.id))];
  const rollupLinks = await loadLinks(db, workspaceId, pageIds, rolledUp);
  const targets = await readTargets(db, workspaceId, rollupLinks);
  const targetIds = [...targets.keys()];
  const secondIds = [...sources.values()].flatMap(({ target }) =>
    target.type === "relation" ? target.id : [],
  );
  const secondLinks = await loadLinks(db, workspaceId, targetIds, secondIds, SHOWN_LINKS);

  const userIds = new Set([
    ...usersIn(pages, properties),
    ...usersIn(
      [...targets.values()],
      [...sources.values()].map(({ target }) => target),
    ),
  ]);
  const users = userIds.size === 0 ? new Map<string, User>() : await loadUsers([...userIds]);
  const user = (id: string): User => users.get(id) ?? unknownUser(id);

  return (pageId) => ({
    user,
    links: (property) => linksOf(links, pageId, property.id),
    rollup(rollup) {
      const source = sources.get(rollup.id);
      if (source === undefined) return computeRollup<User>(rollup.function, []);
      const values = linksOf(rollupLinks, pageId, source.relation.id).pageIds.flatMap(
        (targetId): PlainValue<User>[] => {
          const target = targets.get(targetId);
          if (target === undefined) return [];
          const second = (property: PropertyDefinition): Links => linksOf(secondLinks, targetId, property.id);
          return [renderPlain(source.target, target, { user, links: second })];
        },
      );
      return computeRollup(rollup.function, values);
    },
  });
}

function linksOf(links: LinksByPage, pageId: string, propertyId: string): Links {
  return links.get(pageId)?.get(propertyId) ?? NO_LINKS;
}

/** What rollups are computed from, by rollup; none where the relation or the property of the other database is gone. */
async function findSources(
  db: Kysely<Tables>,
  workspaceId: string,
  schema: Schema,
  properties: readonly PropertyDefinition[],
): Promise<ReadonlyMap<string, RollupSource>> {
  const rollups = properties.flatMap((property) => {
    const relation = property.type === "rollup" ? schema.byId.get(property.relationId) : undefined;
    return property.type === "rollup" && relation?.type === "relation" ? { property, relation } : [];
  });
  const related = await loadRelated(db, workspaceId, [
    ...new Set(rollups.map(({ relation }) => relation.databaseId)),
  ]);
  return new Map(
    rollups.flatMap(({ property, relation }): [string, RollupSource][] => {
      const target = related.get(relation.databaseId)?.schema.byId.get(property.propertyId);
      return target === undefined || target.type === "rollup" ? [] : [[property.id, { relation, target }]];
    }),
  );
}

async function readTargets(
  db: Kysely<Tables>,
  workspaceId: string,
  links: LinksByPage,
): Promise<ReadonlyMap<string, Page>> {
  const ids = new Set<string>();
  for (const ofPage of links.values()) {
    for (const { pageIds } of ofPage.values()) for (const id of pageIds) ids.add(id);
  }
  return new Map((await readPages(db, workspaceId, [...ids])).map((page) => [page.id, page]));
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
