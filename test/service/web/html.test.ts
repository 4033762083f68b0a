import { expect, test } from "vitest";
import { html } from "../../../src/web/html.js";

test.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  " javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "java\nscript:alert(1)",
  "java\tscript:alert(1)",
  "vbscript:msgbox(1)",
  "data:text/html,<script>alert(1)</script>",
  "blob:https://example.org/1",
  "file:///etc/passwd",
  "https://[",
])("%j does not become a link, an image or the target of a form", (url) => {
  expect(html`<a href="${url}">${url.trim().slice(0, 2)}</a>`.text).toMatch(/^<a href="#">/);
  expect(html`<img alt="" src="${url}" />`.text).toBe('<img alt="" src="#" />');
  expect(html`<form method="post" action="${url}"></form>`.text).toContain('action="#"');
});

test.each([
  "https://example.org/?a=b",
  "HTTP://example.org",
  "mailto:ada@example.org",
  "/settings/api",
  "#top",
  "?page=2",
])("%j becomes a link", (url) => {
  expect(html`<a href="${url}"></a>`.text).toBe(`<a href="${url}"></a>`);
});

test("outside of URL attributes a URL is text, and markup is escaped", () => {
  expect(html`<p title="${"javascript:1"}">${"javascript:2"}</p>`.text).toBe(
    '<p title="javascript:1">javascript:2</p>',
  );
  expect(html`<a href="${'/"><script>'}">${["<b>", html`<i></i>`, false, undefined, null, 3]}</a>`.text).toBe(
    '<a href="/&#34;&#62;&#60;script&#62;">&#60;b&#62;<i></i>3</a>',
  );
  for (const character of "&<>\"'\0") expect(html`${character}`.text).toBe(`&#${character.charCodeAt(0)};`);
});
