import { expect, test } from "vitest";
import { getError, text } from "../../support/contract.js";
import { withDatabase } from "./fixture.js";

const runs = (content: string) => [expect.objectContaining({ plain_text: content })];
const option = (name: string) => expect.objectContaining({ name });

test("a property keeps its id and its values when it is renamed, and loses them when it is removed", async () => {
  const { changeProperties, readProperties, addPage, setValues, readValues } = await withDatabase({
    Name: { title: {} },
    Points: { number: {} },
  });
  const page = await addPage({ Points: 3 });
  const before = await readProperties();
  await changeProperties({ Points: { name: "Score", description: "Of the team" }, Name: { name: "Title" } });
  const after = await readProperties();
  expect(after).toMatchObject({
    Title: { id: "title", type: "title" },
    Score: { id: before.Points?.id, description: "Of the team", number: { format: "number" } },
  });
  expect(await readValues(page)).toEqual({ Title: [], Score: 3 });
  await changeProperties({ Score: null });
  await changeProperties({ Score: { number: { format: "percent" } } });
  expect(await readValues(page)).toEqual({ Title: [], Score: null });
  await changeProperties({ Other: { number: {} } });
  await setValues(page, { Score: 1, Other: 2 });
  await changeProperties({ Score: { name: "Other" }, Other: { name: "Score" } });
  expect(await readValues(page)).toEqual({ Title: [], Score: 2, Other: 1 });
});

test("omitted options are removed with their values, new ones are appended, others are unchanged", async () => {
  const { changeProperties, readProperties, addPage, readValues, client, databaseId } = await withDatabase({
    Name: { title: {} },
    Kind: { select: { options: [{ name: "a", color: "red" }, { name: "b" }, { name: "c" }] } },
    Tags: { multi_select: { options: [{ name: "x" }, { name: "y" }] } },
  });
  const page = await addPage({ Kind: { name: "b" }, Tags: [{ name: "x" }, { name: "y" }] });
  await changeProperties({
    Kind: { select: { options: [{ name: "new" }, { name: "c" }, { name: "a" }] } },
    Tags: { multi_select: { options: [{ name: "y" }] } },
  });
  expect(await readProperties()).toMatchObject({
    Kind: { select: { options: [{ name: "a", color: "red" }, { name: "c" }, { name: "new" }] } },
  });
  expect(await readValues(page)).toMatchObject({ Kind: null, Tags: [{ name: "y" }] });
  const change = (options: { name: string; color?: "blue" }[]) =>
    getError(
      client.updateDatabase({
        path: { database_id: databaseId },
        body: { properties: { Kind: { select: { options } } } },
      }),
    );
  expect(await change([{ name: "a", color: "blue" }])).toMatchObject({
    message: "Cannot update color of select with name: a.",
  });
  expect(await change([{ name: "a,b" }])).toMatchObject({
    message: "Invalid select option, commas not allowed: a,b",
  });
  expect(await change([{ name: "z" }, { name: "z" }])).toMatchObject({ status: 400 });
});

test("a status has three options in three groups, which cannot be changed", async () => {
  const { client, databaseId, readProperties } = await withDatabase({
    Name: { title: {} },
    State: { status: {} },
  });
  const { State } = await readProperties();
  expect(State).toMatchObject({
    status: {
      options: [{ name: "Not started", color: "default" }, { name: "In progress" }, { name: "Done" }],
      groups: [{ name: "To-do" }, { name: "In progress" }, { name: "Complete" }],
    },
  });
  const names = ["Done", "In progress", "Not started"];
  const setOptions = (optionNames: string[], property = "State") => {
    const options = optionNames.map((name) => ({ name }));
    const body = { properties: { [property]: { status: { options } } } };
    return client.updateDatabase({ path: { database_id: databaseId }, body });
  };
  for (const same of [names, []]) await setOptions(same);
  for (const changed of [["Other"], names.slice(1), ["Other", ...names.slice(1)]]) {
    const error = await getError(setOptions(changed));
    expect(error).toMatchObject({ status: 400, message: expect.stringMatching(/^State is a status\./) });
  }
  expect(await getError(setOptions(["Other"], "New"))).toMatchObject({
    status: 400,
    message: expect.stringMatching(/^New is a status\./),
  });
});

test("a request that gives the id of a property does not mean another property with this text as its name", async () => {
  const { client, databaseId, addDatabase, addPage, changeProperties, readProperties } = await withDatabase({
    Name: { title: {} },
    title: { rich_text: {} },
  });
  const page_id = await addPage({ Name: { title: text("A") }, title: { rich_text: text("B") } });
  const path = { page_id, property_id: "title" };
  const { body: items } = await client.retrievePageProperty({ path });
  expect(items).toMatchObject({ results: [{ title: { plain_text: "A" } }] });
  const query = { filter_properties: ["title"] };
  const { body: page } = await client.retrievePage({ path: { page_id }, query });
  expect(Object.keys(page.properties)).toEqual(["Name"]);
  const otherId = await addDatabase({
    Name: { title: {} },
    Link: { relation: { database_id: databaseId, single_property: {} } },
    Roll: {
      rollup: { relation_property_name: "Link", rollup_property_name: "title", function: "count" },
    },
  });
  expect(await readProperties(otherId)).toMatchObject({
    Roll: { rollup: { rollup_property_name: "title" } },
  });
  await changeProperties({ Roll: { rollup: { rollup_property_id: "title", function: "count" } } }, otherId);
  expect(await readProperties(otherId)).toMatchObject({ Roll: { rollup: { rollup_property_name: "Name" } } });
});

test("refuses invalid changes", async () => {
  const { client, databaseId, readProperties } = await withDatabase({
    Name: { title: {} },
    Points: { number: {} },
    Number: { unique_id: {} },
  });
  const before = await readProperties();
  const update = (properties: Parameters<typeof client.updateDatabase>[0]["body"]["properties"]) =>
    getError(client.updateDatabase({ path: { database_id: databaseId }, body: { properties } }));
  const pointsId = String(before.Points?.id);
  const onlyTitle = "The title property must keep its type, and no other property can get the type title.";
  const cases: [Parameters<typeof update>[0], string | RegExp][] = [
    [{ Name: null }, "The title property cannot be removed."],
    [{ Name: { number: {} } }, onlyTitle],
    [{ Points: { title: {} } }, onlyTitle],
    [{ Other: { title: {} } }, "A database can have only one property of type title."],
    [{ Points: { name: "Name" } }, "Two properties cannot have the same name: Name."],
    [
      { "Caf\u00e9": { number: {} }, "Cafe\u0301": { number: {} } },
      "Two properties cannot have the same name: Cafe\u0301.",
    ],
    [{ Points: { name: " " } }, "The name of a property must not be empty."],
    [{ " ": { number: {} } }, "The name of a property must not be empty."],
    [
      { Points: { name: "A" }, [pointsId]: { name: "B" } },
      `${pointsId} names a property that the request changes twice.`,
    ],
    [{ Nope: { name: "Else" } }, "Nope is not a property that exists."],
    [{ Nope: null }, "Nope is not a property that exists."],
    [{ Points: { type: "number", checkbox: {} } }, "Points is expected to be number."],
    [{ Points: { number: {}, checkbox: {} } }, "Points has several types: number, checkbox. Give one."],
    [
      { Sum: { formula: { expression: "1" } } },
      /^Sum is a formula\. This service does not evaluate formulas/,
    ],
    [{ Sum: { type: "formula" } }, /^Sum is a formula\./],
    [{ Second: { unique_id: {} } }, "A database can have only one property of type unique_id."],
    [
      {
        Sum: {
          rollup: { relation_property_name: "Points", rollup_property_name: "Name", function: "count" },
        },
      },
      "Sum: Points is not a relation of this database.",
    ],
  ];
  for (const [properties, message] of cases) {
    expect(await update(properties)).toMatchObject({
      status: 400,
      code: "validation_error",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  }
  const parent = { workspace: true } as const;
  expect(await getError(client.createDatabase({ body: { parent, properties: {} } }))).toMatchObject({
    status: 400,
    message: "Title is not provided",
  });
  const relation = { database_id: "0191d5a2-9c40-7f7e-8d21-64b1f0a7c915", single_property: {} };
  expect(await update({ Relation: { relation } })).toMatchObject({ status: 404, code: "object_not_found" });
  expect(await readProperties()).toEqual(before);
});

test("a change keeps the description, format and prefix that it omits, and null removes a description or prefix", async () => {
  const { changeProperties, readProperties } = await withDatabase({
    Name: { title: {} },
    Price: { number: { format: "euro" }, description: "For one" },
    No: { unique_id: { prefix: "A" } },
  });
  await changeProperties({ Price: { number: {} }, No: { unique_id: {} } });
  expect(await readProperties()).toMatchObject({
    Price: { number: { format: "euro" }, description: "For one" },
    No: { unique_id: { prefix: "A" } },
  });
  await changeProperties({ Price: { description: null }, No: { unique_id: { prefix: null } } });
  expect(await readProperties()).toMatchObject({
    Price: { number: { format: "euro" }, description: null },
    No: { unique_id: { prefix: null } },
  });
});

test("the numbers of a unique_id property continue after a conversion of another property", async () => {
  const { addPage, changeProperties, readValues } = await withDatabase({
    Name: { title: {} },
    No: { unique_id: {} },
    Code: { rich_text: {} },
  });
  await addPage({});
  await changeProperties({ Code: { number: {} } });
  expect((await readValues(await addPage({}))).No).toMatchObject({ number: 2 });
});

test("a new unique_id property numbers existing pages in order of creation", async () => {
  const { changeProperties, addPage, readValues } = await withDatabase({ Name: { title: {} } });
  const pages = [await addPage({}), await addPage({}), await addPage({})];
  await changeProperties({ No: { unique_id: { prefix: "A" } } });
  pages.push(await addPage({}));
  const numbers = await Promise.all(pages.map((page) => readValues(page)));
  expect(numbers).toMatchObject([1, 2, 3, 4].map((number) => ({ No: { prefix: "A", number } })));
});

test("changing the type converts values if possible", async () => {
  const { changeProperties, addPage, readValues, readProperties } = await withDatabase({
    Name: { title: {} },
    Value: { rich_text: {} },
  });
  const first = await addPage({ Value: { rich_text: text("1,234.5") } });
  const second = await addPage({ Value: { rich_text: text("soon") } });
  const third = await addPage({ Value: { rich_text: text("2026-05-04") } });
  const now = async () =>
    Promise.all([first, second, third].map(async (page) => (await readValues(page)).Value));

  await changeProperties({ Value: { select: {} } });
  expect(await now()).toEqual([option("1 234.5"), option("soon"), option("2026-05-04")]);
  expect(await readProperties()).toMatchObject({
    Value: { type: "select", select: { options: { length: 3 } } },
  });
  await changeProperties({ Value: { multi_select: {} } });
  expect(await now()).toEqual([[option("1 234.5")], [option("soon")], [option("2026-05-04")]]);
  await changeProperties({ Value: { status: {} } });
  expect(await now()).toEqual([option("1 234.5"), option("soon"), option("2026-05-04")]);
  await changeProperties({ Value: { rich_text: {} } });
  expect(await now()).toEqual([runs("1 234.5"), runs("soon"), runs("2026-05-04")]);
  await changeProperties({ Value: { date: {} } });
  expect(await now()).toEqual([null, null, { start: "2026-05-04", end: null, time_zone: null }]);
  await changeProperties({ Value: { url: {} } });
  expect(await now()).toEqual([null, null, "2026-05-04"]);
});

test("numbers, checkboxes, people, files and dates are converted to text, and all but ranges of dates back", async () => {
  const { client, changeProperties, addPage, readValues } = await withDatabase({
    Name: { title: {} },
    Points: { number: {} },
    Done: { checkbox: {} },
    Who: { people: {} },
    Made: { created_time: {} },
    File: { files: {} },
    Due: { date: {} },
  });
  const { body: bot } = await client.retrieveBotUser({});
  const external = { url: "https://example.org/a" };
  const page = await addPage({
    Points: 1.5,
    Done: true,
    Who: { people: [{ id: bot.id }] },
    File: { files: [{ name: "a", external }] },
    Due: { date: { start: "2026-05-04", end: "2026-05-06" } },
  });
  const made = (await client.retrievePage({ path: { page_id: page } })).body.created_time;
  const all = ["Points", "Done", "Who", "Made", "File", "Due"];
  await changeProperties(Object.fromEntries(all.map((name) => [name, { rich_text: {} }])));
  expect(await readValues(page)).toMatchObject({
    Points: runs("1.5"),
    Done: runs("Yes"),
    Who: runs("API key"),
    Made: runs(made),
    File: runs("https://example.org/a"),
    Due: runs("2026-05-04 → 2026-05-06"),
  });
  await changeProperties({
    Points: { number: {} },
    Done: { checkbox: {} },
    Who: { people: {} },
    Made: { date: {} },
    File: { files: {} },
  });
  expect(await readValues(page)).toMatchObject({
    Points: 1.5,
    Done: true,
    Who: [],
    Made: { start: made },
    File: [{ name: "https://example.org/a", external }],
  });
  await changeProperties({ Points: { checkbox: {} }, Done: { number: {} } });
  expect(await readValues(page)).toMatchObject({ Points: true, Done: 1 });
});

test("pages sort by the order of the options, also after removing and adding options", async () => {
  const { client, databaseId, addPage, changeProperties } = await withDatabase({
    Name: { title: {} },
    Kind: { select: { options: [{ name: "a" }, { name: "b" }, { name: "c" }] } },
  });
  await changeProperties({ Kind: { select: { options: [{ name: "b" }, { name: "c" }] } } });
  await changeProperties({ Kind: { select: { options: [{ name: "b" }, { name: "c" }, { name: "d" }] } } });
  for (const name of ["d", "c", "b"]) await addPage({ Kind: { name } });
  const { body } = await client.queryDatabase({
    path: { database_id: databaseId },
    body: { sorts: [{ property: "Kind", direction: "ascending" }] },
  });
  const names = body.results.map(({ properties: { Kind } }) => Kind?.type === "select" && Kind.select?.name);
  expect(names).toEqual(["b", "c", "d"]);
});

test("changing the type never splits a surrogate pair", async () => {
  const { addPage, changeProperties, readValues } = await withDatabase({
    Name: { title: {} },
    Tags: { multi_select: {} },
    Note: { rich_text: {} },
  });
  const names = Array.from(
    { length: 21 },
    (_, index) => `${"🧭".repeat(49)}${index % 10}${index === 0 ? "" : "x"}`,
  );
  const distinct = names.map((name, index) => (index < 11 ? name : name.replace(/^../, "🐎")));
  const note = `${"a".repeat(99)}🧭`;
  const page = await addPage({
    Tags: { multi_select: distinct.map((name) => ({ name })) },
    Note: { rich_text: text(note) },
  });
  await changeProperties({ Tags: { rich_text: {} }, Note: { select: {} } });
  const values = await readValues(page);
  // The casts: the values of the properties' types.
  const parts = (values.Tags as { plain_text: string }[]).map((run) => run.plain_text);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.join("")).toBe(distinct.join(", "));
  for (const part of parts) expect([part.isWellFormed(), part.length <= 2000]).toEqual([true, true]);
  expect((values.Note as { name: string }).name).toBe("a".repeat(99));
});

test("filters find options by name or id", async () => {
  const { client, databaseId, addPage, readProperties } = await withDatabase({
    Name: { title: {} },
    Kind: { select: {} },
    Tags: { multi_select: {} },
  });
  const tea = await addPage({ Kind: { select: { name: "Tea" } }, Tags: { multi_select: [{ name: "Hot" }] } });
  await addPage({ Kind: { select: { name: "Juice" } }, Tags: { multi_select: [{ name: "Cold" }] } });
  const { Kind, Tags } = await readProperties();
  const query = async (filter: object) => {
    const path = { database_id: databaseId };
    // The cast: the filters are objects of different types.
    const { body } = await client.queryDatabase({ path, body: { filter: filter as never } });
    return body.results.map(({ id }) => id);
  };
  const idOf = (property: unknown, name: string): string =>
    new RegExp(`"id":"([^"]*)","name":"${name}"`).exec(JSON.stringify(property))?.[1] ?? "";
  for (const equals of ["Tea", idOf(Kind, "Tea")]) {
    expect(await query({ property: "Kind", select: { equals } })).toEqual([tea]);
  }
  for (const contains of ["Hot", idOf(Tags, "Hot")]) {
    expect(await query({ property: "Tags", multi_select: { contains } })).toEqual([tea]);
  }
  // A name takes precedence over the id of another option.
  const teaId = idOf(Kind, "Tea");
  const named = await addPage({ Kind: { select: { name: teaId } } });
  expect(await query({ property: "Kind", select: { equals: teaId } })).toEqual([named]);
});
