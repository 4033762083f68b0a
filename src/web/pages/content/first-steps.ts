import { html, type Html } from "../../html.js";
import { renderSection } from "../elements.js";
import { type Database, getTitle } from "./objects.js";

/**
 * Renders the steps from an empty workspace to its first page.
 *
 * @param baseUrl Address of the API.
 * @param database The database of the page.
 */
export function renderFirstSteps(baseUrl: string, database: Database): Html {
  return renderSection(
    "first-steps",
    "First steps",
    html`<ol class="steps">
      <li><a href="/settings/api">Create an API key</a>, copy it and come back to this page.</li>
      <li>
        In a terminal, set a variable to the key, <code>export API_KEY=ps_…</code>, and create a page in the
        database “${getTitle(database)}”:
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
  const body = JSON.stringify({
    parent: { database_id: databaseId },
    properties: { title: { title: [{ text: { content: "Hello" } }] } },
  });
  return [
    `curl ${baseUrl}/v1/pages`,
    '-H "Authorization: Bearer $API_KEY"',
    '-H "Content-Type: application/json"',
    `-d '${body}'`,
  ].join(" \\\n  ");
}
