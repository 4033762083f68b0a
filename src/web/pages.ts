const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 12vh auto; padding: 0 1.5rem; }
  h1 { font-size: 1.6rem; line-height: 1.2; }
  code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
  pre { padding: 1rem; overflow-x: auto; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.5rem; }
  dt { font-weight: 600; }
  dd { margin: 0 0 0.75rem; }
`;

/** Where somebody lands who opens the service in a browser. */
export function startPage(baseUrl: string): string {
  return page(
    "Page Service",
    `<p>A REST service for pages. It answers at <code>${escapeHtml(baseUrl)}/v1</code>.</p>
    <dl>
      <dt><a href="/settings/api">API keys</a></dt><dd>How to get one.</dd>
      <dt><a href="/docs">API documentation</a></dt><dd>Every operation, with examples.</dd>
      <dt><a href="/openapi.json">OpenAPI document</a></dt><dd>For generators and other tools.</dd>
      <dt><a href="/readyz">Health</a></dt><dd>Whether the service can answer requests.</dd>
    </dl>`,
  );
}

/** How to get an API key. */
export function settingsPage(): string {
  return page(
    "API keys",
    `<p>Keys of this service are made on the machine that it runs on:</p>
    <pre><code>npx page-service keys create --workspace NAME --plan free</code></pre>
    <p>The key is shown once; only a hash of it is kept. Send it with every request:</p>
    <pre><code>Authorization: Bearer API_KEY</code></pre>
    <p><code>page-service keys list</code> shows which keys there are, <code>page-service keys revoke ID</code> ends one.
    The plan sets the limit: free 100 requests a minute, pro 1,000, enterprise a number of its own (<code>--limit</code>).</p>
    <p><a href="/">Page Service</a></p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
    <h1>${title}</h1>
    ${body}
    </main>
  </body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
