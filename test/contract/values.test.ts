import { expect, test } from "vitest";
import { addPage, connect, readError, title } from "../support/contract.js";

test("PATCH {} changes nothing, including the time of the last edit", async () => {
  const connected = await connect();
  const path = { page_id: await addPage(connected) };
  const before = await connected.client.retrievePage({ path });
  for (const body of [{}, { properties: {} }, { in_trash: false }]) {
    const { status, body: page } = await connected.client.updatePage({ path, body });
    expect(status).toBe(200);
    expect(page).toEqual(before.body);
  }
});

test("icon and cover accept an emoji, a custom emoji or an external URL, with or without type, and null clears them", async () => {
  const connected = await connect();
  const { client } = connected;
  const path = { page_id: await addPage(connected) };
  const url = "https://example.org/sea.jpg";
  const emoji = await client.updatePage({ path, body: { icon: { type: "emoji", emoji: "👩‍🚀" } } });
  expect(emoji.body.icon).toEqual({ type: "emoji", emoji: "👩‍🚀" });
  const longest = await client.updatePage({ path, body: { icon: { emoji: "🍵".repeat(32) } } });
  expect(longest.body.icon).toEqual({ type: "emoji", emoji: "🍵".repeat(32) });
  const external = await client.updatePage({ path, body: { icon: { external: { url } } } });
  expect(external.body.icon).toEqual({ type: "external", external: { url } });
  const id = crypto.randomUUID();
  const custom = await client.updatePage({ path, body: { icon: { custom_emoji: { id } } } });
  expect(custom.body.icon).toEqual({ type: "custom_emoji", custom_emoji: { id, name: "", url: "" } });
  const covered = await client.updatePage({
    path,
    body: { cover: { type: "external", external: { url } } },
  });
  expect(covered.body.cover).toEqual({ type: "external", external: { url } });
  const cleared = await client.updatePage({ path, body: { icon: null, cover: null } });
  expect(cleared.body).toMatchObject({ icon: null, cover: null });
  const wrong = { icon: { type: "file", file: { url } } };
  const response = await connected.send("PATCH", `/v1/pages/${path.page_id}`, wrong);
  expect(await readError(response)).toMatchObject({ status: 400, code: "validation_error" });
});

test("archived and in_trash are equivalent", async () => {
  const connected = await connect();
  const path = { page_id: await addPage(connected) };
  for (const [body, isTrashed] of [
    [{ archived: true }, true],
    [{ archived: true }, true],
    [{ in_trash: false }, false],
    [{ archived: true, in_trash: true }, true],
    [{ archived: false, in_trash: false }, false],
  ] as const) {
    const { body: page } = await connected.client.updatePage({ path, body });
    expect(page).toMatchObject({ archived: isTrashed, in_trash: isTrashed });
  }
});

test("text is stored unchanged: emoji, right-to-left, combining marks, line breaks, markup", async () => {
  const connected = await connect();
  const path = { page_id: await addPage(connected) };
  const texts = [
    "👩‍🚀🏳️‍🌈",
    "שלום",
    "e\u0301 é",
    "a\r\n\tb\u2028c",
    "<b>&amp;'\"`${x}",
    "\u0001\u007f\ufeff\uffff",
    "'; DROP TABLE pages; --",
    "x".repeat(2000),
  ];
  for (const text of texts) {
    const { body } = await connected.client.updatePage({
      path,
      body: { properties: { Title: title(text) } },
    });
    expect(body.properties.Title).toMatchObject({ title: [{ text: { content: text }, plain_text: text }] });
    expect((await connected.client.retrievePage({ path })).body).toEqual(body);
  }
});

test("numbers are returned as they were sent", async () => {
  const connected = await connect();
  const path = { page_id: await addPage(connected) };
  for (const number of [0, -1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 0.1]) {
    const { body } = await connected.client.updatePage({
      path,
      body: { properties: { Points: { number } } },
    });
    expect(body.properties.Points).toMatchObject({ number });
  }
});

test("a number that overflows a double is refused", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  for (const text of ["1e400", "-1e400"]) {
    const body = `{"properties":{"Points":{"number":${text}}}}`;
    const error = await readError(await connected.send("PATCH", `/v1/pages/${id}`, body));
    expect(error, text).toMatchObject({ status: 400, code: "validation_error" });
  }
});
