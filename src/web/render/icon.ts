import type { Icon } from "../../domain/icon.js";
import { html, type Html } from "../html.js";
import { toSafeImageUrl } from "./links.js";

/** Renders the icon of a page, database or callout, hidden from screen readers, which read the title next to it. */
export function renderIcon(icon: Icon | null): Html | undefined {
  if (icon === null) return undefined;
  if (icon.type === "emoji") return html`<span class="icon" aria-hidden="true">${icon.emoji}</span>`;
  const url = icon.type === "external" ? icon.external.url : (icon.custom_emoji.url ?? "");
  const source = toSafeImageUrl(url);
  if (source === undefined) return undefined;
  return html`<img class="icon" src="${source}" alt="" referrerpolicy="no-referrer" loading="lazy" />`;
}
