import { expect, test } from "vitest";
import { createAccountWorkspace } from "../../../src/access/workspaces/new-workspace.js";
import { createKeyAsMember } from "../../../src/access/keys/member-keys.js";
import { continueSession } from "../../../src/access/accounts/sessions.js";
import { newId } from "../../../src/domain/ids.js";
import { insertAccount, insertMember } from "../../../src/storage/access/accounts.js";
import { html } from "../../../src/web/html.js";
import { NO_BROWSER, openPage } from "../../support/browser.js";
import { Visitor } from "../../support/visitor.js";
import { startWeb } from "./visitors.js";
import { describeUnless } from "../../support/requirements.js";

const CODE = ["window.pwned=1", "top.pwned=1", "pwned=1", "alert(1)"];
const FRAMES: readonly ((code: string) => string)[] = [
  (code) => `<script>${code}</script>`,
  (code) => `</script><script>${code}</script>`,
  (code) => `<img src=x onerror=${code}>`,
  (code) => `"><img src=x onerror="${code}">`,
  (code) => `'><svg onload='${code}'>`,
  (code) => `<svg><script>${code}</script></svg>`,
  (code) => `" autofocus onfocus="${code}" x="`,
  (code) => `' onmouseover='${code}`,
  (code) => `javascript:${code}`,
  (code) => `<a href="javascript:${code}">x</a>`,
  (code) => `<iframe srcdoc="<script>parent.${code}</script>">`,
  (code) => `<math><mtext></p><img src onerror=${code}>`,
  (code) => `<details open ontoggle=${code}>`,
  (code) => `</title><script>${code}</script>`,
  (code) => `</textarea><script>${code}</script>`,
  (code) => `<!--><script>${code}</script>`,
  (code) => `&lt;script&gt;${code}&lt;/script&gt;`,
  (code) => `&#60;img src=x onerror=${code}&#62;`,
  (code) => `\${${code}}`,
  (code) => `{{${code}}}`,
  (code) => `<base href="data:,${code}//">`,
  (code) => `<object data="javascript:${code}">`,
  (code) => `<embed src="javascript:${code}">`,
  (code) => `<form action="javascript:${code}"><button>x`,
  (code) => `<button formaction="javascript:${code}">x`,
  (code) => `<meta http-equiv=refresh content="0;javascript:${code}">`,
  (code) => `<link rel=stylesheet href="data:,*{x:${code}}">`,
  (code) => `<style>@import'javascript:${code}'</style>`,
  (code) => `<video><source onerror=${code}>`,
  (code) => `<body onload=${code}>`,
  (code) => `<input onfocus=${code} autofocus>`,
  (code) => `<marquee onstart=${code}>`,
  (code) => `<template><script>${code}</script></template>`,
  (code) => `<noscript><p title="</noscript><img src onerror=${code}>">`,
  (code) => `<xmp><script>${code}</script>`,
  (code) => `\u3000<script>${code}</script>\u00a0`,
  (code) => `<ſcript>${code}</ſcript>`,
  (code) => `＜script＞${code}＜/script＞`,
  (code) => `<sCrIpT>${code}</sCrIpT>`,
  (code) => `<img/src/onerror=${code}>`,
  (code) => `<svg/onload=${code}>`,
  (code) => `<select autofocus onfocus=${code}>`,
  (code) => `<table background="javascript:${code}">`,
  (code) => `<div style="background:url(javascript:${code})">`,
  (code) => `"-${code}-"`,
  (code) => `'-${code}-'`,
  (code) => `\`-${code}-\``,
  (code) => `\\"};${code};//`,
  (code) => `</table><script>${code}</script>`,
  (code) => `</option></select><script>${code}</script>`,
];
const PAYLOADS = FRAMES.flatMap((frame) => CODE.map(frame)).filter((text) => text.length <= 100);

const collapseSpaces = (text: string): string => text.replace(/\s+/g, " ").trim();

describeUnless(NO_BROWSER)("text from forms", () => {
  test("is escaped: 200 scripts as names of keys, workspaces and people", async () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(200);
    const { url, service } = await startWeb();
    const visitor = new Visitor(url);
    const [person = ""] = PAYLOADS.slice(8);
    await visitor.submit("/sign-up", "/sign-up", {
      name: person,
      email: `"><script>pwned=1</script>@example.org`,
      password: "correct horse battery",
    });
    const token = visitor.cookies.get("page-service-session") ?? "";
    const session = await continueSession(service.store, token);
    if (session === undefined) throw new Error("The account has no session.");
    for (const name of PAYLOADS) {
      await createKeyAsMember(service.store, session, {
        id: newId(),
        name,
        access: "full",
        expiresTime: null,
      });
    }
    for (const [index, name] of PAYLOADS.entries()) {
      await service.store.writeServiceWide(async (tx) => {
        const workspace = await createAccountWorkspace(tx, name, session.accountId);
        await insertMember({ db: tx, workspaceId: workspace.id }, session.accountId, "owner", index);
        const account = {
          id: newId(),
          email: `${name}@example.org`,
          name,
          passwordHash: "",
          createdTime: 0,
        };
        await insertAccount(tx, account);
        await insertMember({ db: tx, workspaceId: session.workspaceId }, account.id, "member", index);
      });
    }

    const page = await openPage();
    await page.context().addCookies([{ name: "page-service-session", value: token, url }]);
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const blocked: string[] = [];
    page.on("console", (message) => blocked.push(message.text()));
    for (const path of ["/", "/settings/api", "/settings/members", "/settings/account"]) {
      await page.goto(url + path, { waitUntil: "load" });
      expect([path, await page.evaluate("typeof window.pwned")]).toEqual([path, "undefined"]);
    }
    await page.goto(`${url}/settings/api`);
    const shown = await page.locator(".key-name").allTextContents();
    expect(shown.slice(0, PAYLOADS.length)).toEqual([...PAYLOADS].reverse());
    const workspaces = await page.locator("#workspace option").allTextContents();
    await page.goto(`${url}/settings/members`);
    const people = await page.locator(".members strong").allTextContents();
    const more = page.getByRole("link", { name: "More" });
    while ((await more.count()) > 0) {
      await Promise.all([page.waitForEvent("load"), more.click()]);
      expect(await page.evaluate("typeof window.pwned")).toBe("undefined");
      people.push(...(await page.locator(".members strong").allTextContents()));
    }
    for (const payload of PAYLOADS) {
      expect(people).toContain(payload);
      // Browsers show choices with trimmed and collapsed spaces.
      expect(workspaces.map(collapseSpaces)).toContain(collapseSpaces(payload));
    }
    // The policy would report blocked scripts.
    expect({ dialogs, blocked }).toEqual({ dialogs: [], blocked: [] });
  });
});

test("templates escape text and attributes", () => {
  const hostile = `<b> & "quotes" 'and' more`;
  const inner = html`<i>${hostile}</i>`;
  expect(html`<p title="${hostile}">${[inner, 7, undefined, false, ""]}</p>`.text).toBe(
    '<p title="&#60;b&#62; &#38; &#34;quotes&#34; &#39;and&#39; more">' +
      "<i>&#60;b&#62; &#38; &#34;quotes&#34; &#39;and&#39; more</i>7</p>",
  );
});
