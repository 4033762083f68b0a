import { expect, test } from "vitest";
import type { Client } from "../../../src/client/index.js";
import { addPages } from "../../service/storage/fixtures.js";
import { getError, readList, title } from "../../support/contract.js";
import { WRITABLE_PROPERTIES } from "../../support/properties.js";
import { type TestDatabase, withDatabase } from "./fixture.js";

interface Related extends TestDatabase {
  /** The database with the property Tasks, which is the other side of Project. */
  projectsId: string;
}

/** Creates a database of tasks with a two-way relation Project, and a database of projects. */
async function withProjects(): Promise<Related> {
  const tasks = await withDatabase({ Name: { title: {} }, Hours: { number: {} } });
  const projectsId = await tasks.addDatabase({ Project: { title: {} } }, "Projects");
  await tasks.changeProperties({
    Project: {
      relation: { database_id: projectsId, dual_property: { synced_property_name: "Tasks" } },
    },
  });
  return { ...tasks, projectsId };
}

/** Reads all parts of a list of property items. */
function readPropertyItems(
  client: Client,
  path: { page_id: string; property_id: string },
  page_size: number,
) {
  return readList(async (from) => {
    const { body } = await client.retrievePageProperty({ path, query: { page_size, ...from } });
    if (body.object !== "list") throw new Error("The property item is not a list.");
    return { body };
  });
}

const links = (...ids: string[]) => ({ relation: ids.map((id) => ({ id })) });
const ids = (...list: string[]) => list.map((id) => ({ id }));

test("a two-way relation adds a property to the target database", async () => {
  const { databaseId, projectsId, readProperties } = await withProjects();
  const { Project } = await readProperties();
  const { Tasks } = await readProperties(projectsId);
  expect(Project).toMatchObject({
    type: "relation",
    relation: {
      database_id: projectsId,
      type: "dual_property",
      dual_property: { synced_property_name: "Tasks", synced_property_id: Tasks?.id },
    },
  });
  expect(Tasks).toMatchObject({
    relation: {
      database_id: databaseId,
      dual_property: { synced_property_name: "Project", synced_property_id: Project?.id },
    },
  });
});

test("links are equal on both sides, whichever side is written", async () => {
  const { projectsId, addPage, setValues, readValues } = await withProjects();
  const [one, two] = [await addPage({ Name: title("1") }), await addPage({ Name: title("2") })];
  const red = await addPage({ Tasks: links(two, one) }, projectsId);
  expect(await readValues(red)).toMatchObject({ Tasks: ids(two, one) });
  expect(await readValues(one)).toMatchObject({ Project: ids(red) });

  const blue = await addPage({}, projectsId);
  await setValues(one, { Project: links(blue, red) });
  expect(await readValues(one)).toMatchObject({ Project: ids(blue, red) });
  expect(await readValues(blue)).toMatchObject({ Tasks: ids(one) });
  expect(await readValues(red)).toMatchObject({ Tasks: ids(two, one) });

  await setValues(red, { Tasks: links() });
  expect(await readValues(one)).toMatchObject({ Project: ids(blue) });
  expect(await readValues(two)).toMatchObject({ Project: [] });
});

test("links to pages in the trash are hidden until the pages are restored", async () => {
  const { client, projectsId, addPage, readValues } = await withProjects();
  const task = await addPage({});
  const project = await addPage({ Tasks: links(task) }, projectsId);
  const path = { page_id: task };
  await client.updatePage({ path, body: { in_trash: true } });
  expect(await readValues(project)).toMatchObject({ Tasks: [] });
  await client.updatePage({ path, body: { in_trash: false } });
  expect(await readValues(project)).toMatchObject({ Tasks: ids(task) });
  expect(await readValues(task)).toMatchObject({ Project: ids(project) });
});

test("a write of links keeps hidden links to pages in the trash at their positions", async () => {
  const { client, projectsId, addPage, setValues, readValues } = await withProjects();
  const tasks = [await addPage({}), await addPage({}), await addPage({})];
  const [first = "", second = "", third = ""] = tasks;
  const project = await addPage({ Tasks: links(...tasks) }, projectsId);
  const moveSecond = (in_trash: boolean) =>
    client.updatePage({ path: { page_id: second }, body: { in_trash } });
  await moveSecond(true);
  for (const [written, restored] of [
    [[first, third], tasks],
    [
      [third, first],
      [third, second, first],
    ],
    [[], [second]],
    [
      [first, second],
      [first, second],
    ],
  ] as const) {
    await setValues(project, { Tasks: links(...written) });
    expect(await readValues(project)).toMatchObject({ Tasks: ids(...written.filter((id) => id !== second)) });
    await moveSecond(false);
    expect(await readValues(project)).toMatchObject({ Tasks: ids(...restored) });
    expect(await readValues(second)).toMatchObject({ Project: ids(project) });
    await moveSecond(true);
  }
});

test("a relation to the same database has both sides in it, and a page can link to itself", async () => {
  const { databaseId, changeProperties, readProperties, addPage, setValues, readValues } =
    await withProjects();
  await changeProperties({
    Parent: { relation: { database_id: databaseId, dual_property: { synced_property_name: "Parts" } } },
  });
  expect(await readProperties()).toMatchObject({
    Parent: { relation: { dual_property: { synced_property_name: "Parts" } } },
    Parts: { relation: { dual_property: { synced_property_name: "Parent" } } },
  });
  const whole = await addPage({});
  const part = await addPage({ Parent: links(whole) });
  await setValues(whole, { Parts: links(part, whole) });
  expect(await readValues(whole)).toMatchObject({ Parts: ids(part, whole), Parent: ids(whole) });
  expect(await readValues(part)).toMatchObject({ Parent: ids(whole), Parts: [] });
});

test("removing one side keeps the other as a one-way relation with its links", async () => {
  const { projectsId, changeProperties, readProperties, addPage, readValues } = await withProjects();
  const task = await addPage({});
  const project = await addPage({ Tasks: links(task) }, projectsId);
  await changeProperties({ Project: null });
  expect(await readProperties(projectsId)).toMatchObject({
    Tasks: { relation: { type: "single_property" } },
  });
  expect(await readValues(project)).toMatchObject({ Tasks: ids(task) });
  expect(await readValues(task)).not.toHaveProperty("Project");
});

test("a relation that becomes two-way keeps its links", async () => {
  const { client, databaseId, projectsId, changeProperties, addPage, readValues, readProperties } =
    await withProjects();
  await changeProperties({ Blocks: { relation: { database_id: projectsId, single_property: {} } } });
  const project = await addPage({}, projectsId);
  const tasks = [await addPage({ Blocks: links(project) }), await addPage({ Blocks: links(project) })];
  const readTag = async () => (await client.retrievePage({ path: { page_id: project } })).headers.ETag;
  const tag = await readTag();
  await changeProperties({ Blocks: { relation: { database_id: projectsId, dual_property: {} } } });
  expect(await readValues(project)).toMatchObject({ "Related to Things (Blocks)": ids(...tasks) });
  expect(await readTag()).not.toBe(tag);
  const definition = (await readProperties(projectsId))["Related to Things (Blocks)"];
  expect(definition).toMatchObject({ relation: { database_id: databaseId } });
});

test("the other side of a two-way relation gets a name that differs from all others after normalization", async () => {
  const { addDatabase, changeProperties, readProperties } = await withProjects();
  const spellings = ["Caf\u00e9", "Cafe\u0301"] as const;
  for (const [name, other] of [spellings, spellings.toReversed()]) {
    const otherId = await addDatabase({ Name: { title: {} }, [String(name)]: { number: {} } });
    const dual_property = { synced_property_name: String(other) };
    await changeProperties({ [`To ${otherId}`]: { relation: { database_id: otherId, dual_property } } });
    expect(Object.keys(await readProperties(otherId))).toEqual(["Name", name, `${other} 1`]);
  }
});

test("a relation that gets another target becomes one-way, unless the request asks for a two-way one", async () => {
  const { databaseId, addDatabase, projectsId, changeProperties, readProperties } = await withProjects();
  const otherId = await addDatabase({ Name: { title: {} } }, "Other");
  await changeProperties({ Project: { relation: { database_id: projectsId } } });
  expect(await readProperties()).toMatchObject({ Project: { relation: { type: "dual_property" } } });
  await changeProperties({ Project: { relation: { database_id: otherId } } });
  expect(await readProperties()).toMatchObject({
    Project: { relation: { database_id: otherId, type: "single_property" } },
  });
  expect(Object.keys(await readProperties(otherId))).toEqual(["Name"]);
  expect(await readProperties(projectsId)).toMatchObject({
    Tasks: { relation: { database_id: databaseId, type: "single_property" } },
  });
  const dual_property = { synced_property_name: "Work" };
  await changeProperties({ Project: { relation: { database_id: projectsId, dual_property } } });
  await changeProperties({ Project: { relation: { database_id: otherId, dual_property } } });
  expect(await readProperties()).toMatchObject({
    Project: { relation: { database_id: otherId, type: "dual_property", dual_property } },
  });
  const synced_property_id = (await readProperties()).Project?.id;
  expect(await readProperties(otherId)).toMatchObject({
    Work: { relation: { type: "dual_property", dual_property: { synced_property_id } } },
  });
  expect(await readProperties(projectsId)).toMatchObject({ Work: { relation: { type: "single_property" } } });
});

test("the type of a relation alone makes it one-way or two-way", async () => {
  const { projectsId, changeProperties, readProperties } = await withProjects();
  for (const type of ["single_property", "dual_property"] as const) {
    await changeProperties({ Project: { relation: { database_id: projectsId, type } } });
    expect(await readProperties()).toMatchObject({ Project: { relation: { type } } });
  }
});

test("a page shows 100 links and has_more; the property item list returns all", async () => {
  const { client, service, workspaceId, databaseId, projectsId, addPage, setValues } = await withProjects();
  const tasks = await addPages(service.store, workspaceId, databaseId, 103);
  const project = await addPage({ Tasks: links(...tasks.slice(0, 100)) }, projectsId);
  for (const task of tasks.slice(100)) await setValues(task, { Project: links(project) });
  const { body } = await client.retrievePage({ path: { page_id: project } });
  expect(body.properties.Tasks).toMatchObject({ relation: { length: 100 }, has_more: true });

  const request = { page_id: project, property_id: body.properties.Tasks?.id ?? "" };
  const parts = await readPropertyItems(client, request, 40);
  for (const { property_item, next_cursor } of parts) {
    expect(property_item).toMatchObject({ type: "relation", relation: {} });
    const [, query = null] = property_item.next_url?.split("?") ?? [];
    expect(query).toBe(next_cursor && `start_cursor=${next_cursor}&page_size=40`);
  }
  const items = parts.flatMap(({ results }) => results);
  expect(items).toMatchObject(tasks.map((id) => ({ type: "relation", relation: { id } })));

  const start_cursor = parts[0]?.next_cursor ?? "";
  for (const [path, cursor] of [
    [{ page_id: project, property_id: "Tasks" }, "nonsense"],
    [{ page_id: project, property_id: "Project" }, start_cursor],
    [{ page_id: await addPage({}, projectsId), property_id: "Tasks" }, start_cursor],
  ] as const) {
    const wrong = client.retrievePageProperty({ path, query: { start_cursor: cursor } });
    expect(await getError(wrong)).toMatchObject({
      status: 400,
      message: `The start_cursor provided is invalid: ${cursor}. Use the next_cursor of the last response of the same list.`,
    });
  }
});

test("a rollup counts all links, including those that its page does not show", async () => {
  const { client, projectsId, changeProperties, addPage, setValues, readValues } = await withProjects();
  const rollup = (name: "sum" | "count" | "show_original") => ({
    rollup: { relation_property_name: "Tasks", rollup_property_name: "Hours", function: name },
  });
  await changeProperties(
    { Total: rollup("sum"), Count: rollup("count"), All: rollup("show_original") },
    projectsId,
  );
  const hours = Array.from({ length: 103 }, (_, index) => index + 1);
  const tasks: string[] = [];
  for (const Hours of hours) tasks.push(await addPage({ Hours }));
  const project = await addPage({ Tasks: links(...tasks.slice(0, 100)) }, projectsId);
  for (const task of tasks.slice(100)) await setValues(task, { Project: links(project) });
  expect(await readValues(project)).toMatchObject({
    Total: { number: (103 * 104) / 2 },
    Count: { number: 103 },
    All: { array: hours.map((number) => ({ type: "number", number })) },
  });
  // Filters compute the same in SQL.
  const filter = { property: "Total", rollup: { number: { equals: (103 * 104) / 2 } } };
  const { body } = await client.queryDatabase({ path: { database_id: projectsId }, body: { filter } });
  expect(body.results.map(({ id }) => id)).toEqual([project]);
});

test("a rollup counts all links of the linked pages, including those that these pages do not show", async () => {
  const { client, projectsId, addDatabase, addPage, readValues } = await withProjects();
  const project = await addPage({}, projectsId);
  for (let count = 0; count < 103; count += 1) await addPage({ Project: links(project) });
  const relate = (name: "count_values" | "show_original") => ({
    rollup: { relation_property_name: "Projects", rollup_property_name: "Tasks", function: name },
  });
  const summaryId = await addDatabase({
    Name: { title: {} },
    Projects: { relation: { database_id: projectsId, single_property: {} } },
    Count: relate("count_values"),
    All: relate("show_original"),
  });
  const summary = await addPage({ Projects: links(project) }, summaryId);
  const { Count, All } = await readValues(summary);
  expect(Count).toMatchObject({ number: 103 });
  expect(All).toMatchObject({
    array: [{ relation: expect.objectContaining({ length: 103 }), has_more: false }],
  });
  // Filters compute the same in SQL.
  const filter = { property: "Count", rollup: { number: { equals: 103 } } };
  const { body } = await client.queryDatabase({ path: { database_id: summaryId }, body: { filter } });
  expect(body.results.map(({ id }) => id)).toEqual([summary]);
});

test("the ids in the configuration of a rollup precede the names, and a change keeps what it omits", async () => {
  const { projectsId, changeProperties, readProperties } = await withProjects();
  const rollup = {
    relation_property_id: String((await readProperties(projectsId)).Tasks?.id),
    relation_property_name: "Name",
    rollup_property_id: String((await readProperties()).Hours?.id),
    rollup_property_name: "Name",
    function: "sum",
  } as const;
  await changeProperties({ Total: { rollup } }, projectsId);
  expect(await readProperties(projectsId)).toMatchObject({
    Total: { rollup: { relation_property_name: "Tasks", rollup_property_name: "Hours" } },
  });
  await changeProperties({ Total: { rollup: { function: "average" } } }, projectsId);
  expect(await readProperties(projectsId)).toMatchObject({
    Total: {
      rollup: { relation_property_name: "Tasks", rollup_property_name: "Hours", function: "average" },
    },
  });
  await changeProperties({ Hours: null });
  expect(await readProperties(projectsId)).toMatchObject({
    Total: { rollup: { relation_property_name: "Tasks", rollup_property_name: "" } },
  });
});

test("property items of a relation skip pages in the trash", async () => {
  const { client, projectsId, addPage } = await withProjects();
  const tasks: string[] = [];
  for (let count = 0; count < 5; count += 1) tasks.push(await addPage({}));
  const project = await addPage({ Tasks: links(...tasks) }, projectsId);
  const [, second = "", , fourth = ""] = tasks;
  for (const page_id of [second, fourth]) {
    await client.updatePage({ path: { page_id }, body: { in_trash: true } });
  }
  const path = { page_id: project, property_id: "Tasks" };
  const parts = await readPropertyItems(client, path, 1);
  const shown = tasks.filter((id) => id !== second && id !== fourth);
  expect(parts.flatMap(({ results }) => results)).toMatchObject(
    shown.map((id) => ({ type: "relation", relation: { id } })),
  );
});

test("property items: one for a single value, a list of runs and of people", async () => {
  const { client, addPage, changeProperties } = await withProjects();
  await changeProperties({ Notes: { rich_text: {} }, Who: { people: {} }, Kind: { select: {} } });
  const { body: bot } = await client.retrieveBotUser({});
  const page_id = await addPage({
    Name: title("Title"),
    Hours: 2,
    Notes: { rich_text: [{ text: { content: "a" } }, { text: { content: "b" } }] },
    Who: { people: [{ id: bot.id }] },
  });
  const item = async (property_id: string) =>
    (await client.retrievePageProperty({ path: { page_id, property_id } })).body;
  expect(await item("Hours")).toEqual({
    object: "property_item",
    id: expect.any(String),
    type: "number",
    number: 2,
  });
  expect(await item("Kind")).toMatchObject({ object: "property_item", type: "select", select: null });
  expect(await item("title")).toMatchObject({
    object: "list",
    type: "property_item",
    results: [{ object: "property_item", id: "title", type: "title", title: { plain_text: "Title" } }],
    property_item: { id: "title", type: "title", next_url: null, title: {} },
    next_cursor: null,
    has_more: false,
  });
  expect(await item("Notes")).toMatchObject({
    results: [{ rich_text: { plain_text: "a" } }, { rich_text: { plain_text: "b" } }],
  });
  const path = { page_id, property_id: "Notes" };
  const { body: first } = await client.retrievePageProperty({ path, query: { page_size: 1 } });
  expect(first).toMatchObject({ results: [{ rich_text: { plain_text: "a" } }], has_more: true });
  const start_cursor = first.object === "list" ? (first.next_cursor ?? "") : "";
  expect((await client.retrievePageProperty({ path, query: { start_cursor } })).body).toMatchObject({
    results: [{ rich_text: { plain_text: "b" } }],
    has_more: false,
  });
  expect(await item("Who")).toMatchObject({ results: [{ people: { id: bot.id, type: "bot" } }] });
  expect(await getError(item("Nope"))).toMatchObject({ status: 400, code: "validation_error" });
});

test("values and property items have the titles and URLs of mentioned pages, also in rollups", async () => {
  const { client, projectsId, addPage, changeProperties, readValues } = await withProjects();
  await changeProperties(
    {
      All: {
        rollup: { relation_property_name: "Tasks", rollup_property_name: "Name", function: "show_original" },
      },
    },
    projectsId,
  );
  const mentioned = await addPage({ Name: title("Mentioned") });
  const task = await addPage({ Name: { title: [{ mention: { page: { id: mentioned } } }] } });
  const project = await addPage({ Tasks: links(task) }, projectsId);
  const named = { plain_text: "Mentioned", href: expect.stringContaining(mentioned.replaceAll("-", "")) };
  for (const path of [
    { page_id: task, property_id: "title" },
    { page_id: project, property_id: "All" },
  ]) {
    expect((await client.retrievePageProperty({ path })).body).toMatchObject({ results: [{ title: named }] });
  }
  expect(await readValues(task)).toMatchObject({ Name: [named] });
});

test("the property item of a single value is the value in the page", async () => {
  const { Title: _, Text: __, People: ___, ...single } = WRITABLE_PROPERTIES;
  const { client, addPage } = await withDatabase({
    ...single,
    Name: { title: {} },
    Created: { created_time: {} },
    Author: { created_by: {} },
    Edited: { last_edited_time: {} },
    Editor: { last_edited_by: {} },
    Ticket: { unique_id: {} },
  });
  const page_id = await addPage({
    Number: 3,
    Select: { name: "One" },
    Multi: [{ name: "a" }, { name: "b" }],
    Status: { name: "Done" },
    Date: { start: "2024-01-01" },
    Files: [{ name: "f", external: { url: "https://example.com/f" } }],
    Done: true,
    Link: "https://example.com",
    Mail: "a@b.c",
    Phone: "1",
  });
  const { body: page } = await client.retrievePage({ path: { page_id } });
  const values = Object.values(page.properties).filter(({ type }) => type !== "title");
  expect(values).toHaveLength(15);
  for (const value of values) {
    const { body } = await client.retrievePageProperty({ path: { page_id, property_id: value.id } });
    expect(body).toEqual({ object: "property_item", ...value });
  }
});

test("rollups compute from related pages", async () => {
  const { databaseId, projectsId, changeProperties, addPage, setValues, readValues, client } =
    await withProjects();
  await changeProperties({ Due: { date: {} }, Done: { checkbox: {} } });
  const rollup = (property: string, name: "sum" | "show_original" | "date_range" | "percent_checked") => ({
    rollup: { relation_property_name: "Tasks", rollup_property_name: property, function: name },
  });
  await changeProperties(
    {
      Total: rollup("Hours", "sum"),
      All: rollup("Name", "show_original"),
      When: rollup("Due", "date_range"),
      Share: rollup("Done", "percent_checked"),
    },
    projectsId,
  );
  const tasks = [
    await addPage({ Name: title("a"), Hours: 2, Due: { date: { start: "2026-05-04" } }, Done: true }),
    await addPage({
      Name: title("b"),
      Hours: 3.5,
      Due: { date: { start: "2026-05-01", end: "2026-05-09" } },
    }),
  ];
  const project = await addPage({ Tasks: links(...tasks) }, projectsId);
  expect(await readValues(project)).toMatchObject({
    Total: { type: "number", number: 5.5, function: "sum" },
    All: {
      type: "array",
      array: [
        { type: "title", title: [{ plain_text: "a" }] },
        { type: "title", title: [{ plain_text: "b" }] },
      ],
    },
    When: { type: "date", date: { start: "2026-05-01", end: "2026-05-09", time_zone: null } },
    Share: { type: "number", number: 0.5 },
  });
  expect(await getError(setValues(project, { Total: null }))).toMatchObject({ status: 400 });
  const unknown = {
    relation_property_name: "Tasks",
    rollup_property_name: "Nothing",
    function: "sum",
  } as const;
  expect(await getError(changeProperties({ Sum: { rollup: unknown } }, projectsId))).toMatchObject({
    status: 400,
    code: "validation_error",
  });
  const ofRollup = {
    relation_property_name: "Project",
    rollup_property_name: "Total",
    function: "sum",
  } as const;
  expect(await getError(changeProperties({ Sum: { rollup: ofRollup } }))).toMatchObject({
    status: 400,
    message: "Sum: a rollup cannot use the rollup Total.",
  });
  await client.updatePage({ path: { page_id: tasks[1] ?? "" }, body: { in_trash: true } });
  expect(await readValues(project)).toMatchObject({ Total: { number: 2 }, Share: { number: 1 } });
  const path = { page_id: project, property_id: "All" };
  expect((await client.retrievePageProperty({ path })).body).toMatchObject({
    object: "list",
    results: [{ object: "property_item", type: "title", title: { plain_text: "a" } }],
    property_item: { type: "rollup", rollup: { type: "array", array: [], function: "show_original" } },
  });
  // A source property that becomes a rollup too, or is removed: the rollup stays and has no values.
  const nested = {
    relation_property_name: "Project",
    rollup_property_name: "Project",
    function: "count",
  } as const;
  await changeProperties({ Hours: { rollup: nested } }, databaseId);
  expect(await readValues(project)).toMatchObject({ Total: { type: "number", number: 0 } });
  await changeProperties({ Hours: null }, databaseId);
  expect(await readValues(project)).toMatchObject({ Total: { type: "number", number: 0 } });
  // No related value, so none and every one of them meets a condition.
  const find = async (rollup: object) => {
    const body = { filter: { property: "Total", rollup } };
    const found = await client.queryDatabase({ path: { database_id: projectsId }, body });
    return found.body.results.map(({ id }) => id);
  };
  expect(await find({ number: { equals: 0 } })).toEqual([project]);
  for (const operator of ["less_than", "greater_than"])
    expect(await find({ number: { [operator]: 0 } })).toEqual([]);
  const condition = { number: { equals: 1 } };
  expect(await find({ none: condition })).toEqual([project]);
  expect(await find({ every: condition })).toEqual([project]);
  expect(await find({ any: condition })).toEqual([]);
});

test("rollups with the same function of other properties or relations have their own results", async () => {
  const { databaseId, projectsId, changeProperties, addPage, readValues } = await withProjects();
  await changeProperties({ Days: { number: {} } });
  const sum = (relation_property_name: string, rollup_property_name: string) => ({
    rollup: { relation_property_name, rollup_property_name, function: "sum" as const },
  });
  await changeProperties(
    {
      Related: { relation: { database_id: databaseId, single_property: {} } },
      Hours: sum("Tasks", "Hours"),
      Days: sum("Tasks", "Days"),
      Other: sum("Related", "Hours"),
    },
    projectsId,
  );
  const [one, two] = [await addPage({ Hours: 1, Days: 2 }), await addPage({ Hours: 3 })];
  const project = await addPage({ Tasks: links(one), Related: links(two) }, projectsId);
  expect(await readValues(project)).toMatchObject({
    Hours: { number: 1 },
    Days: { number: 2 },
    Other: { number: 3 },
  });
});

test("a rollup shows users with all their fields", async () => {
  const { client, projectsId, changeProperties, addPage, readValues } = await withProjects();
  await changeProperties({ Author: { created_by: {} } });
  const rollup = { relation_property_name: "Tasks", rollup_property_name: "Author" };
  await changeProperties({ Authors: { rollup: { ...rollup, function: "show_original" } } }, projectsId);
  const project = await addPage({ Tasks: links(await addPage({})) }, projectsId);
  const { body: bot } = await client.retrieveBotUser({});
  expect(await readValues(project)).toMatchObject({ Authors: { array: [{ created_by: bot }] } });
});

test("a rollup keeps its property when the values of this property are converted", async () => {
  const { projectsId, changeProperties, readProperties, addPage, readValues } = await withProjects();
  const rollup = { relation_property_name: "Tasks", rollup_property_name: "Hours", function: "sum" } as const;
  await changeProperties({ Before: { rollup } }, projectsId);
  await changeProperties({ Hours: { unique_id: {} } });
  await changeProperties({ After: { rollup } }, projectsId);
  const project = await addPage({ Tasks: links(await addPage({})) }, projectsId);
  const [properties, values] = [await readProperties(projectsId), await readValues(project)];
  for (const name of ["Before", "After"]) {
    expect(properties[name]).toMatchObject({ rollup });
    expect(values[name]).toMatchObject({ number: 1 });
  }
});

test("filters and sorts by a rollup follow its relation to another database", async () => {
  const { client, databaseId, addDatabase, changeProperties, addPage, setValues, readProperties } =
    await withDatabase({ Name: { title: {} } });
  const first = await addDatabase({ Name: { title: {} } });
  const second = await addDatabase({ Name: { title: {} } });
  const relationTo = (id: string) => ({ relation: { database_id: id, single_property: {} } });
  await changeProperties({ Link: relationTo(first) });
  const rollup = {
    relation_property_name: "Link",
    rollup_property_name: "Name",
    function: "count",
  } as const;
  await changeProperties({ Count: { rollup } });
  const unlinked = await addPage({ Link: links(await addPage({}, first)) });
  await changeProperties({ Link: relationTo(second) });
  const linked = await addPage({});
  await setValues(linked, { Link: links(await addPage({ Name: title("target") }, second)) });

  await changeProperties({ Again: { rollup } });
  expect(await readProperties()).toMatchObject({ Count: { rollup }, Again: { rollup } });
  const query = async (body: object) => {
    const { body: found } = await client.queryDatabase({ path: { database_id: databaseId }, body });
    return found.results.map(({ id }) => id);
  };
  const filter = (rollup: object) => query({ filter: { property: "Count", rollup } });
  expect(await filter({ number: { equals: 1 } })).toEqual([linked]);
  expect(await filter({ number: { equals: 0 } })).toEqual([unlinked]);
  expect(await filter({ any: { rich_text: { equals: "target" } } })).toEqual([linked]);
  for (const condition of [{ date: { is_empty: true } }, { any: { number: { equals: 1 } } }]) {
    expect(await getError(filter(condition))).toMatchObject({
      status: 400,
      message: expect.stringContaining("does not match filter"),
    });
  }
  expect(await query({ sorts: [{ property: "Count", direction: "descending" }] })).toEqual([
    linked,
    unlinked,
  ]);
});

test("a relation that is declared as both one-way and two-way is refused", async () => {
  const { databaseId, projectsId, client } = await withProjects();
  const relation = { database_id: projectsId, type: "dual_property", single_property: {} } as const;
  const properties = { Both: { relation } };
  await expect(
    client.updateDatabase({ path: { database_id: databaseId }, body: { properties } }),
  ).rejects.toThrow("Both: use either single_property or dual_property, not both.");
});
