// Enhances the docs in the browser: Enter in the search field, and in code blocks of guides a copy button and syntax
// highlighting. Redoc renders these blocks as plain text and owns their elements, so highlighting uses the CSS Custom
// Highlight API, which leaves the DOM alone.

/** Token patterns by language, each with one named group per color. */
const SHELL =
  /(?<comment>#[^\n]*)|(?<string>"(?:\\[^]|[^"\\])*"|'[^']*')|(?<keyword>(?<=^|\n)\s*(?:curl|for|do|done|npx|npm|node|docker)\b|(?<=\s)--?[a-z][\w-]*)|(?<number>\$\w+)/g;
const SCRIPT =
  /(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\b(?<keyword>import|from|export|const|let|for|of|await|async|if|else|return|throw|try|catch|new|instanceof|function|true|false|null)\b|\b(?<number>\d[\d_.]*)\b/g;
const PATTERNS = { sh: SHELL, console: SHELL, ts: SCRIPT, js: SCRIPT, json: SCRIPT, python: SCRIPT };

const highlights = new Map();
for (const color of ["comment", "string", "keyword", "number"]) {
  if (!globalThis.Highlight || !CSS.highlights) break;
  highlights.set(color, new Highlight());
  CSS.highlights.set(color, highlights.get(color));
}

function highlight(block) {
  const text = block.firstChild;
  const pattern = PATTERNS[block.dataset.language];
  if (!pattern || text?.nodeType !== Node.TEXT_NODE || highlights.size === 0) return;
  for (const { groups, index, 0: token } of text.data.matchAll(pattern)) {
    const color = Object.keys(groups).find((name) => groups[name] !== undefined);
    const range = new StaticRange({
      startContainer: text,
      startOffset: index,
      endContainer: text,
      endOffset: index + token.length,
    });
    highlights.get(color).add(range);
  }
}

function addCopyButton(block) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-code";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const copied = await navigator.clipboard.writeText(block.innerText).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? "Copied" : "Press Ctrl+C";
    // Without access to the clipboard, which requires HTTPS or localhost, the text is selected for the user.
    if (!copied) getSelection()?.selectAllChildren(block);
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  block.before(button);
}

/** Blocks with their text at the time of highlighting: Redoc reuses elements for other guides. */
const seen = new WeakMap();
function enhance() {
  // Makes the menu a landmark, which screen readers can skip.
  const menu = document.querySelector(".menu-content:not([role])");
  menu?.setAttribute("role", "navigation");
  menu?.setAttribute("aria-label", "Contents");
  // The label of the choice of examples hides the name of the example.
  for (const button of document.querySelectorAll('button[aria-label="Example"]')) button.ariaLabel = null;
  // The search does not tell screen readers that it is a dialog, and its header would be a second one of the page.
  const search = document.querySelector('[data-testid="search-dialog"]:not([role])');
  if (search) {
    search.role = "dialog";
    search.ariaModal = "true";
    search.ariaLabel = "Search";
    search.querySelector("header")?.setAttribute("role", "none");
  }
  // The button that clears the search field has only an icon, and the keyboard does not reach it.
  const clear = document.querySelector('[data-component-name="Search/SearchInput"] button:not([aria-label])');
  if (clear) {
    clear.ariaLabel = "Clear the search field";
    clear.tabIndex = 0;
  }
  // The headings in operations skip a level.
  for (const heading of document.querySelectorAll(":is(h4, h5, h6):not([aria-level])"))
    heading.ariaLevel = String(Number(heading.tagName[1]) - 1);
  for (const table of document.querySelectorAll(".md-table-wrapper:not([tabindex])")) table.tabIndex = 0;
  for (const block of document.querySelectorAll("pre[data-language]")) {
    if (!seen.has(block)) addCopyButton(block);
    if (seen.get(block) === block.textContent) continue;
    seen.set(block, block.textContent);
    highlight(block);
  }
}

// Enter in the search field opens the first result.
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  if (!event.target.matches('[data-component-name="Search/SearchInput"] input')) return;
  document.querySelector('[data-component-name="Search/SearchItem"]')?.click();
});

// The link leads back from the docs of a running service. A file has no service, and keeps the placeholder.
const link = document.querySelector(".service-link");
if (link?.getAttribute("href")?.startsWith("{")) link.remove();

addEventListener("load", () => {
  enhance();
  new MutationObserver(() => requestAnimationFrame(enhance)).observe(document.body, {
    childList: true,
    subtree: true,
  });
});
