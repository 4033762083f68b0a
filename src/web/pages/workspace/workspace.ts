import { html, type Html } from "../../html.js";
import { renderLayout, type SignedInLayoutData } from "../layout.js";
import { renderObjectList } from "./object-list.js";
import { renderSearchForm } from "./search.js";
import { renderSection } from "../elements.js";
import type { ListedObject } from "../../../operations/views/list-objects.js";

interface WorkspaceContent {
  readonly baseUrl: string;
  /** Databases, the most recently edited first. */
  readonly databases: readonly ListedObject[];
  /** Pages, the most recently edited first. */
  readonly pages: readonly ListedObject[];
}

/** Renders the start page of a workspace, which members get at `/`. Anonymous visitors get renderStartPage. */
export function renderWorkspacePage(
  { baseUrl, databases, pages }: WorkspaceContent,
  layoutData: SignedInLayoutData,
): Html {
  const { workspaceName } = layoutData.session;
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
          ${renderObjectList(databases, html`No databases yet. <a href="/docs#/databases/createdatabase">Create one with the API</a>.`)}
        </section>
        <section aria-labelledby="recent">
          <h2 id="recent">Recently edited</h2>
          ${renderObjectList(pages, "Pages appear here when a program creates them.")}
        </section>
      </div>
      <p><a class="button quiet slim" href="/search">All pages and databases</a></p>`,
    { layoutData },
  );
}

function renderFirstSteps(baseUrl: string, database: ListedObject): Html {
  return renderSection(
    "first-steps",
    "First steps",
    html`<ol class="steps">
      <li><a href="/settings/api">Create an API key</a>, copy it and come back to this page.</li>
      <li>
        In a terminal, set a variable to the key, <code>export API_KEY=ps_…</code>, and create a page in the
        database “${database.title}”:
        <pre id="first-page" tabindex="0"><code>${formatCreatePageCommand(baseUrl, database.id)}</code></pre>
        <button class="quiet slim" type="button" data-copy="first-page" hidden>Copy</button>
        <span class="small" id="first-page-status" role="status"></span>
      </li>
      <li>
        Reload this page: the new page is under “Recently edited”. <a href="/docs">The docs</a> describe all
        operations and the client for programs.
      </li>
    </ol>`,
  );
}

/** Formats a shell command that creates a page. The ID of a title property is always "title". */
function formatCreatePageCommand(baseUrl: string, databaseId: string): string {
  return [
    `curl ${baseUrl}/v1/pages \\`,
    '  -H "Authorization: Bearer $API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    "  -d '{",
    `    "parent": { "database_id": "${databaseId}" },`,
    '    "properties": { "title": { "title": [{ "text": { "content": "Hello" } }] } }',
    "  }'",
  ].join("\n");
}
