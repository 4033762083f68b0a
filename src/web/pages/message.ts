import { html, type Html } from "../html.js";
import { layout, type Viewer } from "./layout.js";

/** Tells what went wrong, and leads on. */
export function messagePage(title: string, text: string, viewer?: Viewer): Html {
  return layout(
    title,
    html`<div class="narrow">
      <section class="card">
        <h1>${title}</h1>
        <p>${text}</p>
        <p><a href="/settings/api">Go to the settings</a></p>
      </section>
    </div>`,
    viewer ? { viewer } : {},
  );
}
