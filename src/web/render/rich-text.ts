import type { RichText } from "../../domain/rich-text.js";
import { formatTitle, isInvisible } from "../../domain/text.js";
import { renderDate } from "../format.js";
import { html, type Html, type HtmlValue } from "../html.js";
import { renderEquation } from "./equation.js";
import { getContentPath, renderExternalLink, toContentPath } from "./links.js";
import type { RenderBudget } from "./budget.js";

/** Renders the runs of a text for which the page has space. */
export function renderRichText(runs: readonly RichText[], budget: RenderBudget): HtmlValue {
  return budget.mapWhileLeft(runs, (run) => budget.reserveMarkup(() => renderRun(run, budget)));
}

function renderRun(run: RichText, budget: RenderBudget): Html {
  const { annotations } = run;
  let content = addLink(run, renderContent(run, budget), budget);
  if (annotations.code) content = html`<code>${content}</code>`;
  if (annotations.bold) content = html`<strong>${content}</strong>`;
  if (annotations.italic) content = html`<em>${content}</em>`;
  if (annotations.strikethrough) content = html`<s>${content}</s>`;
  if (annotations.underline) content = html`<u>${content}</u>`;
  if (annotations.color !== "default") {
    content = html`<span class="color-${annotations.color}">${content}</span>`;
  }
  return content;
}

/** Renders the content of a text without its annotations and its link. */
function renderContent(run: RichText, budget: RenderBudget): Html {
  if (run.type === "equation") return renderEquation(run.equation.expression, { display: false }, budget);
  if (run.type === "mention" && run.mention.type === "date") return renderDate(run.mention.date);
  // Mentions are links, which need a visible text.
  const text = budget.clip(run.type === "mention" ? formatTitle(run.plain_text) : run.plain_text);
  return text.includes("\n") ? html`<span class="lines">${text}</span>` : html`${text}`;
}

/** Wraps content in the link of its text. Drops unsafe links, and links without a visible text, which nobody can follow. */
function addLink(run: RichText, content: Html, budget: RenderBudget): Html {
  const renderLink = (path: string): Html => html`<a href="${path}">${content}</a>`;
  const mentionPath = findMentionPath(run);
  if (mentionPath !== undefined) return renderLink(mentionPath);
  if (run.href === null || isInvisible(run.plain_text)) return content;
  const path = toContentPath(run.href);
  return path === undefined ? renderExternalLink(run.href, content, budget) : renderLink(path);
}

function findMentionPath(run: RichText): string | undefined {
  if (run.type !== "mention") return undefined;
  const { mention } = run;
  if (mention.type === "page") return getContentPath(mention.page.id);
  return mention.type === "database" ? getContentPath(mention.database.id) : undefined;
}
