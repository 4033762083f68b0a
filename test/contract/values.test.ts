import { expect, test } from "vitest";
import { addPage, connect, readError, getError, title } from "../support/contract.js";

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

test("null clears a property, bare or wrapped, and the icon and the cover", async () => {
  const { client, rootDatabaseId, send } = await connect();
  const { body: page } = await client.createPage({
    body: {
      parent: { database_id: rootDatabaseId },
      icon: { emoji: "🧭" },
      cover: { external: { url: "https://example.org/sea.jpg" } },
      properties: {
        Title: title("Full"),
        Notes: { rich_text: [{ text: { content: "Note" } }] },
        Points: { number: 3.5 },
        Done: { checkbox: true },
      },
    },
  });
  const path = { page_id: page.id };
  const one = await client.updatePage({
    path,
    body: { icon: null, properties: { Points: { number: null }, Notes: null } },
  });
  expect(one.body).toMatchObject({ icon: null, cover: page.cover });
  expect(one.body.properties).toMatchObject({
    Title: { title: [{ plain_text: "Full" }] },
    Notes: { rich_text: [] },
    Points: { number: null },
    Done: { checkbox: true },
  });
  const rest = { cover: null, properties: { Title: null, Done: null, Points: null } };
  const cleared = await send("PATCH", `/v1/pages/${page.id}`, rest);
  expect(await cleared.json()).toMatchObject({
    cover: null,
    properties: { Title: { title: [] }, Done: { checkbox: false }, Points: { number: null } },
  });
  const empty = await client.updatePage({ path, body: { properties: { Title: { title: [] } } } });
  expect(empty.body.properties.Title).toMatchObject({ title: [] });
});

test("icon and cover accept an emoji or an external URL, with or without type", async () => {
  const connected = await connect();
  const { client } = connected;
  const path = { page_id: await addPage(connected) };
  const url = "https://example.org/sea.jpg";
  const emoji = await client.updatePage({ path, body: { icon: { type: "emoji", emoji: "👩‍🚀" } } });
  expect(emoji.body.icon).toEqual({ type: "emoji", emoji: "👩‍🚀" });
  const external = await client.updatePage({
    path,
    body: { icon: { external: { url } }, cover: { type: "external", external: { url } } },
  });
  expect(external.body.icon).toEqual({ type: "external", external: { url } });
  expect(external.body.cover).toEqual({ type: "external", external: { url } });
  const wrong = { icon: { type: "file", file: { url } } };
  const response = await connected.send("PATCH", `/v1/pages/${path.page_id}`, wrong);
  expect(await readError(response)).toMatchObject({ status: 400, code: "validation_error" });
});

test("archived and in_trash are equivalent", async () => {
  const connected = await connect();
  const path = { page_id: await addPage(connected) };
  for (const [body, trashed] of [
    [{ archived: true }, true],
    [{ archived: true }, true],
    [{ in_trash: false }, false],
    [{ archived: true, in_trash: true }, true],
    [{ archived: false, in_trash: false }, false],
  ] as const) {
    const { body: page } = await connected.client.updatePage({ path, body });
    expect(page).toMatchObject({ archived: trashed, in_trash: trashed });
  }
});

test("properties are accepted by id, plain or percent-encoded, and retrieved values can be sent back", async () => {
  const connected = await connect();
  const { client } = connected;
  const path = { page_id: await addPage(connected) };
  const { body: page } = await client.retrievePage({ path });
  const points = page.properties.Points?.id ?? "";
  expect(points).not.toBe("");
  const encoded = [...points].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
  for (const [index, key] of [points, decodeURIComponent(points), encoded].entries()) {
    const { body } = await client.updatePage({ path, body: { properties: { [key]: { number: index } } } });
    expect(body.properties.Points).toEqual({ id: points, type: "number", number: index });
  }
  const { body: full } = await client.retrievePage({ path });
  const echo = await client.updatePage({ path, body: { properties: full.properties } });
  expect(echo.body.properties).toEqual(full.properties);
});

test("hostile property names are refused like unknown names", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "%", "%zz", ""]) {
    const body = `{"properties":{${JSON.stringify(name)}:{"number":1}}}`;
    const error = await readError(await connected.send("PATCH", `/v1/pages/${id}`, body));
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toBe(`${name} is not a property that exists.`);
  }
  for (const body of ['{"__proto__":{}}', '{"properties":{"Points":{"__proto__":{"number":1}}}}']) {
    const error = await readError(await connected.send("PATCH", `/v1/pages/${id}`, body));
    expect(error.message).toContain("__proto__ should be not present");
  }
  expect(Object.prototype).not.toHaveProperty("number");
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

test("lone surrogates and NUL are refused in values and in keys", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  const bodies = ["\\ud83d", "\\udc00x", "\\ud83d\\ud83d", "a\\u0000b"].flatMap((text) => [
    `{"properties":{"Title":{"title":[{"text":{"content":"${text}"}}]}}}`,
    `{"properties":{"${text}":null}}`,
    `{"icon":{"emoji":"${text}"}}`,
  ]);
  for (const body of bodies) {
    const error = await readError(await connected.send("PATCH", `/v1/pages/${id}`, body));
    expect(error, body).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toMatch(/not valid Unicode|U\+0000/);
  }
  const whole = `{"properties":{"Title":{"title":[{"text":{"content":"\\ud83e\\udded \\\\u0000"}}]}}}`;
  const response = await connected.send("PATCH", `/v1/pages/${id}`, whole);
  expect(await response.json()).toMatchObject({
    properties: { Title: { title: [{ plain_text: "🧭 \\u0000" }] } },
  });
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

test("a failed request changes nothing, even if parts of it are valid", async () => {
  const connected = await connect();
  const path = { page_id: await addPage(connected) };
  const before = await connected.client.retrievePage({ path });
  await getError(
    connected.client.updatePage({
      path,
      body: { icon: { emoji: "🧭" }, properties: { Title: title("Half"), Nope: { number: 1 } } },
    }),
  );
  expect((await connected.client.retrievePage({ path })).body).toEqual(before.body);
});
