import type { components } from "../../../generated/types.js";
import { html, type HtmlValue } from "../html.js";
import { toSafeImageUrl } from "./links.js";

type Icon = components["schemas"]["Icon"] | null;

/** Renders the icon of a page, database or callout, hidden from screen readers because the title is read. */
export function renderIcon(icon: Icon): HtmlValue {
  if (icon === null) return undefined;
  if (icon.type === "emoji") return html`<span class="icon" aria-hidden="true">${icon.emoji}</span>`;
  const address = icon.type === "external" ? icon.external.url : (icon.custom_emoji.url ?? "");
  const source = toSafeImageUrl(address);
  return (
    source !== undefined &&
    html`<img class="icon" src="${source}" alt="" referrerpolicy="no-referrer" loading="lazy" />`
  );
}
