import { html, type Html } from "../../html.js";
import { renderLayout, type SignedInPageContext } from "../layout.js";
import { renderFirstSteps } from "./first-steps.js";
import { type Database, renderObjectList, type Page } from "./objects.js";
import { renderSearchForm } from "./search.js";

/** Content of the start page of a workspace. */
export interface WorkspaceContent {
  /** Address of the API. */
  readonly baseUrl: string;
  /** Databases, the most recently edited first. */
  readonly databases: readonly Database[];
  /** Pages, the most recently edited first. */
  readonly pages: readonly Page[];
}

/** Renders the start page of a workspace, which members get at `/`. Anonymous visitors get renderStartPage. */
export function renderWorkspacePage(
  { baseUrl, databases, pages }: WorkspaceContent,
  pageContext: SignedInPageContext,
): Html {
  const { workspaceName } = pageContext.session;
  const [database] = databases;
  return renderLayout(
    workspaceName,
    html`<div class="page-head">
        <h1>${workspaceName}</h1>
        ${renderSearchForm("")}
      </div>
      ${pages.length === 0 && database !== undefined && renderFirstSteps(baseUrl, database)}
      <div class="columns">
        <section aria-labelledby="databases">
          <h2 id="databases">Databases</h2>
          ${renderObjectList(databases, html`No databases yet. <a href="/docs">Create one with the API</a>.`)}
        </section>
        <section aria-labelledby="recent">
          <h2 id="recent">Recently edited</h2>
          ${renderObjectList(pages, "Pages appear here when a program creates them.")}
        </section>
      </div>
      <p><a href="/search">All pages and databases</a></p>
      <p><a href="/trash">Trash</a></p>`,
    { pageContext },
  );
}
