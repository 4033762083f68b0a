import { expect, test } from "vitest";
import { MAX_SUGGESTED_OPTIONS } from "../../../../src/budgets.js";
import { createClient } from "../../../../src/client/index.js";
import { CONDITION_LABELS } from "../../../../src/web/table/filter-types.js";
import { text } from "../../../support/contract.js";
import { readText } from "../visitors.js";
import { addTea, findLink, type Fixture, readRowTitles, startWithTeas } from "./teas.js";

test("a database shows its author and its last editor", async () => {
  const { visitor, url, databaseId } = await startWithTeas();
  const editor = createClient({ baseUrl: url, apiKey: await visitor.createKey("Editor") });
  await editor.updateDatabase({ path: { database_id: databaseId }, body: { icon: { emoji: "🍵" } } });
  const page = await readText(visitor, `/${databaseId}`);
  expect(page).toContain("Edited by Editor on");
  expect(page).toMatch(/created by Importer\s+on/);
});

test("a table is sorted and filtered by the query string, and paginated by cursor", async () => {
  const fixture = await startWithTeas();
  const { client, visitor, databaseId } = fixture;
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: { cover: { external: { url: "https://example.com/cover.png" } } },
  });
  for (let price = 1; price <= 105; price += 1) await addTea(fixture, `Tea ${price}`, price);
  const path = `/${databaseId}`;
  const sorted = await readText(visitor, `${path}?sort=Price&direction=descending`);
  expect(readRowTitles(sorted)).toHaveLength(100);
  expect(readRowTitles(sorted)[0]).toBe("Tea 105");
  expect(sorted).toContain('aria-sort="descending"');
  expect(sorted).toContain('Price<span aria-hidden="true"> ↓</span>');
  const next = await readText(visitor, path + findLink(sorted, "next"));
  expect(readRowTitles(next)).toEqual(["Tea 5", "Tea 4", "Tea 3", "Tea 2", "Tea 1"]);
  expect(readSortLink(await readText(visitor, path))).toBe("?sort=Price&direction=ascending");
  const ascending = await readText(visitor, `${path}?sort=Price`);
  expect(ascending).toContain('Price<span aria-hidden="true"> ↑</span>');
  expect(readSortLink(ascending)).toBe("?sort=Price&direction=descending");
  // The third click removes the sort.
  expect(readSortLink(sorted)).toBe("?");
  const filter = "filter=Price&condition=greater_than&value=103";
  const both = await readText(visitor, `${path}?sort=Price&direction=descending&${filter}`);
  expect(readSortLink(both)).toBe(`?${filter}`);
  expect([sorted, next].map((page) => page.includes('class="cover"'))).toEqual([true, false]);
  // An invalid sort does not end the paging.
  const unsorted = await readText(visitor, `${path}?sort=Nothing`);
  expect(readRowTitles(await readText(visitor, path + findLink(unsorted, "next")))).toHaveLength(5);
  expect(sorted).toContain("Rows 1–100<");
  expect(next).toContain("Rows 101–105<");
  const withoutCount = findLink(sorted, "next").replace("&skipped=100", "&skipped=x");
  expect(await readText(visitor, path + withoutCount)).toContain("The next 5 rows<");
  expect(next).toMatch(/href="\?sort=Price&#38;direction=descending"\s*>First rows</);
  // A cursor belongs to one order, so another order begins with the first row.
  expect(next).not.toMatch(/<th[^>]*>\s*<a href="[^"]*cursor=/);
  const skipLink = '<a class="skip" href="#paging">';
  const filtered = await readText(visitor, `${path}?${filter}`);
  expect(readRowTitles(filtered).sort()).toEqual(["Tea 104", "Tea 105"]);
  expect(filtered).toContain("2 rows<");
  expect([sorted, next, filtered].map((page) => page.includes(skipLink))).toEqual([true, true, false]);
  expect(sorted).toContain('<nav class="paging" id="paging" tabindex="-1" aria-label="Rows of the table">');
  expect(sorted).toContain('<body class="wide">');
});

/** Returns the path of the link in the header of the column Price. */
function readSortLink(page: string): string | undefined {
  return /<a href="([^"]*)">Price/.exec(page)?.[1]?.replaceAll("&#38;", "&");
}

test("columns are hidden by the query string, which sorts, filters and further rows keep", async () => {
  const fixture = await startWithTeas();
  const { visitor, databaseId } = fixture;
  for (let price = 1; price <= 101; price += 1) await addTea(fixture, `Tea ${price}`, price);
  const readColumns = (page: string) =>
    [...page.matchAll(/scope="col"[^>]*>\s*<a[^>]*>([^<]*)/g)].map(([, name]) => name);
  const path = `/${databaseId}`;
  const all = await readText(visitor, path);
  expect(readColumns(all)).toEqual(["Name", "Price", "Site", "Kind"]);
  expect(all.match(/name="column" value="\w+" checked/g)).toHaveLength(3);
  const query = "?filter=Name&condition=contains&value=Tea&column=Name&column=Kind&column=Kind&column=x";
  const page = await readText(visitor, path + query);
  expect(readColumns(page)).toEqual(["Name", "Kind"]);
  expect(page).toContain("Columns (2 of 4)");
  expect(page.match(/name="column" value="\w+" checked/g)).toEqual(['name="column" value="Kind" checked']);
  const showAll = /<a href="([^"]*)">Show all</;
  expect(showAll.exec(page)?.[1]?.replaceAll("&#38;", "&")).toBe("?filter=Name&condition=contains&value=Tea");
  expect(all).not.toMatch(showAll);
  const sort = /scope="col"[^>]*>\s*<a href="([^"]*)">Kind/.exec(page)?.[1]?.replaceAll("&#38;", "&") ?? "";
  for (const link of [findLink(page, "next"), sort]) {
    expect([link, readColumns(await readText(visitor, path + link))]).toEqual([link, ["Name", "Kind"]]);
    expect(new URLSearchParams(link).get("value")).toBe("Tea");
    expect(new URLSearchParams(link).getAll("column")).toEqual(["Name", "Kind"]);
  }
  const last = await readText(visitor, path + findLink(all, "next"));
  expect(last).toContain("Row 101<");
  const [, lastId = ""] = /<th scope="row">\s*<a href="\/(\w+)"/.exec(last) ?? [];
  await fixture.client.deleteBlock({ path: { block_id: lastId } });
  expect(await readText(visitor, path + findLink(all, "next"))).toContain("There are no more pages.");
  // The title identifies the rows, so its column cannot be hidden.
  expect(readColumns(await readText(visitor, `${path}?column=Name`))).toEqual(["Name"]);
  expect(readColumns(await readText(visitor, `${path}?column=Site`))).toEqual(["Name", "Site"]);
});

test("numbers are shown in the format of their property, aligned right with their header", async () => {
  const fixture = await startWithTeas();
  const { client, visitor, databaseId } = fixture;
  const { body: page } = await addTea(fixture, "Sencha", 12345.6);
  for (const [format, shown] of [
    ["number", "12345.6"],
    ["dollar", "$12,345.60"],
  ] as const) {
    await client.updateDatabase({
      path: { database_id: databaseId },
      body: { properties: { Price: { number: { format } } } },
    });
    const table = await readText(visitor, `/${databaseId}`);
    expect(table).toMatch(/<th\s+scope="col"\s+class="number"[^>]*>\s*<a[^>]*>Price<\/a>/);
    expect(table).toContain(`<td class="number"><div>${shown}</div></td>`);
    expect(table).not.toMatch(/class="number"[^>]*>\s*<a[^>]*>Site/);
    expect(await readText(visitor, `/${page.id}`)).toContain(`<dd>${shown}</dd>`);
  }
});

test("rollups are shown in the format of their source property, and link to related pages", async () => {
  const fixture = await startWithTeas();
  const { client, visitor, databaseId } = fixture;
  const { body: tea } = await addTea(fixture, "Sencha", 12.5);
  const { body: origin } = await addTea(fixture, "Gyokuro", 20);
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: {
      properties: {
        Price: { number: { format: "dollar" } },
        Origin: { relation: { database_id: databaseId, single_property: {} } },
      },
    },
  });
  await client.updatePage({
    path: { page_id: tea.id },
    body: { properties: { Origin: { relation: [{ id: origin.id }] } } },
  });
  const rollup = (name: string, of: string) => ({
    rollup: { relation_property_name: "Teas", rollup_property_name: of, function: name as "sum" },
  });
  const { body: shops } = await client.createDatabase({
    body: {
      parent: { page_id: tea.id },
      title: text("Shops"),
      properties: {
        Name: { title: {} },
        Teas: { relation: { database_id: databaseId, single_property: {} } },
        Total: rollup("sum", "Price"),
        Prices: rollup("show_original", "Price"),
        Filled: rollup("percent_not_empty", "Price"),
        Count: rollup("count", "Price"),
        Origins: rollup("show_original", "Origin"),
      },
    },
  });
  const { body: shop } = await client.createPage({
    body: { parent: { database_id: shops.id }, properties: { Teas: { relation: [{ id: tea.id }] } } },
  });
  const table = await readText(visitor, `/${shops.id}`);
  for (const shown of ["$12.50", "100%", "1"]) {
    expect(table).toContain(`<td class="number"><div>${shown}</div></td>`);
  }
  expect(table).toMatch(/<td\s*><div>\$12\.50<\/div><\/td>/);
  expect(table).toMatch(/class="number"[^>]*>\s*<a[^>]*>Total/);
  expect(table).not.toMatch(/class="number"[^>]*>\s*<a[^>]*>Prices/);
  // A rollup with several values has no order.
  expect(table).toMatch(/<th\s+scope="col"\s*>\s*Prices\s*<\/th>/);
  const sorted = await readText(visitor, `/${shops.id}?sort=Prices`);
  expect(sorted).toContain("Tables cannot be sorted by “Prices”. Choose another property.");
  expect(sorted).not.toContain("aria-sort");
  const page = await readText(visitor, `/${shop.id}`);
  for (const shown of ["$12.50", "100%", "1"]) expect(page).toContain(`<dd>${shown}</dd>`);
  // The breadcrumb, and the relation.
  const link = `<a href="/${tea.id.replaceAll("-", "")}">Sencha</a>`;
  expect([table.split(link).length, page.split(link).length]).toEqual([3, 3]);
  const originLink = `<a href="/${origin.id.replaceAll("-", "")}">Gyokuro</a>`;
  expect([table.split(originLink).length, page.split(originLink).length]).toEqual([2, 2]);
});

test("the filter form suggests the options of its property, up to MAX_SUGGESTED_OPTIONS of all properties", async () => {
  const { client, visitor, databaseId } = await startWithTeas();
  const addOptions = (names: readonly string[], count: number) => {
    const options = Array.from({ length: count }, (_, index) => ({ name: `Option ${index}` }));
    const properties = Object.fromEntries(names.map((name) => [name, { multi_select: { options } }]));
    return client.updateDatabase({ path: { database_id: databaseId }, body: { properties } });
  };
  const readSuggested = async (name: string) => {
    const page = await readText(visitor, `/${databaseId}?filter=${name}`);
    const id = /name="value"\s+list="([^"]*)"/.exec(page)?.[1];
    expect(page).toMatch(new RegExp(`value="${name}"[^>]*data-list="${id}"`));
    const list = page.split("<datalist ").find((part) => part.startsWith(`id="${id}"`));
    return [...(list?.split("</datalist>")[0] ?? "").matchAll(/<option value="([^"]*)"/g)].map(
      ([, option]) => option,
    );
  };
  await addOptions(["Tags"], 2);
  expect(await readSuggested("Tags")).toEqual(["Option 0", "Option 1"]);
  expect(await readSuggested("Price")).toEqual([]);
  const names = Array.from({ length: MAX_SUGGESTED_OPTIONS / 100 }, (_, index) => `Tags ${index}`);
  await addOptions(names, 100);
  const page = await readText(visitor, `/${databaseId}?filter=Tags`);
  expect(page.match(/<option value="Option \d+"><\/option>/g)).toHaveLength(MAX_SUGGESTED_OPTIONS);
});

/** Filters the teas. Returns the titles of the rows, or the message about an invalid filter. */
async function findRows(
  { visitor, databaseId }: Fixture,
  filter: { filter: string; condition: string; value: string },
): Promise<string | string[]> {
  const page = await readText(visitor, `/${databaseId}?${new URLSearchParams(filter).toString()}`);
  return /id="filter-error">([^<]*)/.exec(page)?.[1] ?? readRowTitles(page);
}

test("a filter finds numbers as the table shows them, although they are stored with more digits", async () => {
  const fixture = await startWithTeas();
  const { client, databaseId } = fixture;
  for (const [name, price] of [
    ["Sum", 0.1 + 0.2],
    ["Third", 1 / 3],
    ["Rounded", 11_528.139],
    ["Next", 11_528.15],
    ["Half", 2.125],
  ] as const) {
    await addTea(fixture, name, price);
  }
  const { body: unpriced } = await addTea(fixture, "Unpriced", 0);
  await client.updatePage({
    path: { page_id: unpriced.id },
    body: { properties: { Price: { number: null } } },
  });
  const find = async (condition: string, value: string) =>
    [...(await findRows(fixture, { filter: "Price", condition, value }))].sort();
  expect(await find("equals", "0.3")).toEqual(["Sum"]);
  expect(await find("equals", "0.333333333333333")).toEqual(["Third"]);
  expect(await find("equals", "11,528.14")).toEqual([]);
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: { properties: { Price: { number: { format: "euro" } } } },
  });
  expect(await find("equals", "€11,528.14")).toEqual(["Rounded"]);
  expect(await find("equals", "11528.139")).toEqual(["Rounded"]);
  expect(await find("equals", "0.333")).toEqual(["Third"]);
  expect(await find("equals", "2.13")).toEqual(["Half"]);
  expect(await find("does_not_equal", "2.13")).toEqual(["Next", "Rounded", "Sum", "Third", "Unpriced"]);
});

test("a filter finds pages by the names of users, which several users can have", async () => {
  const fixture = await startWithTeas();
  const { client, visitor, url, databaseId } = fixture;
  const { body } = await client.listUsers({});
  const ada = body.results.find(({ name }) => name === "Ada");
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: { properties: { Author: { created_by: {} }, Owner: { people: {} } } },
  });
  const { body: sencha } = await addTea(fixture, "Sencha", 1);
  const Owner = { people: [{ id: ada?.id ?? "" }] };
  await client.updatePage({ path: { page_id: sencha.id }, body: { properties: { Owner } } });
  for (const name of ["Importer", "Editor"]) {
    const other = createClient({ baseUrl: url, apiKey: await visitor.createKey(name) });
    await addTea({ ...fixture, client: other }, `By the other ${name}`, 2);
  }
  const find = async (filter: string, condition: string, value: string) =>
    findRows(fixture, { filter, condition, value });
  expect([...(await find("Author", "equals", "importer"))].sort()).toEqual([
    "By the other Importer",
    "Sencha",
  ]);
  expect(await find("Author", "does_not_equal", "Importer")).toEqual(["By the other Editor"]);
  expect(await find("Owner", "equals", "Ada")).toEqual(["Sencha"]);
  expect(await find("Owner", "is_empty", "")).toHaveLength(2);
  expect(await find("Author", "equals", "Nobody")).toBe("No person or API key has the name “Nobody”.");
  expect(await find("Author", "equals", "")).toBe(
    "Enter the name of a person or API key to filter by “Author”.",
  );
  const page = await readText(visitor, `/${databaseId}?filter=Owner`);
  expect(page).toMatch(/name="value"\s+list="users"/);
  expect(page.match(/<datalist id="users">/g)).toHaveLength(1);
  expect(page).toContain('<option value="Ada"></option>');
});

test("a filter finds pages by a part of the title of related pages", async () => {
  const fixture = await startWithTeas();
  const { client, databaseId } = fixture;
  const relation = { database_id: databaseId, single_property: {} };
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: { properties: { Blend: { relation } } },
  });
  const ids: string[] = [];
  for (const name of ["Sencha", "Genmaicha", "Oolong"]) ids.push((await addTea(fixture, name, 1)).body.id);
  const [sencha = "", genmaicha = "", oolong = ""] = ids;
  for (const [page_id, related] of [
    [sencha, [oolong]],
    [genmaicha, [sencha, genmaicha]],
  ] as const) {
    const Blend = { relation: related.map((id) => ({ id })) };
    await client.updatePage({ path: { page_id }, body: { properties: { Blend } } });
  }
  const find = async (condition: string, value: string) =>
    findRows(fixture, { filter: "Blend", condition, value });
  expect(await find("contains", "CHA")).toEqual(["Genmaicha"]);
  expect(await find("equals", "long")).toEqual(["Sencha"]);
  expect([...(await find("does_not_contain", "cha"))].sort()).toEqual(["Oolong", "Sencha"]);
  expect(await find("equals", "coffee")).toBe("No related page has “coffee” in its title.");
  expect(await find("equals", "")).toBe("Enter a part of the title of a related page to filter by “Blend”.");
  for (let count = 0; count <= 100; count += 1) await addTea(fixture, "Bancha", 1);
  expect(await find("contains", "banc")).toBe(
    "More than 100 related pages have “banc” in their titles, too many for a filter.",
  );
});

test("a filter finds options whose names differ only in case, and names with spaces around them", async () => {
  const { client, visitor, databaseId } = await startWithTeas();
  const options = ["Done", "done", " Wait"].map((name) => ({ name }));
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: { properties: { State: { select: { options } } } },
  });
  for (const { name } of options) {
    await client.createPage({
      body: {
        parent: { database_id: databaseId },
        properties: { Name: { title: [{ text: { content: `is ${name}` } }] }, State: { select: { name } } },
      },
    });
  }
  const find = async (value: string): Promise<string[]> =>
    readRowTitles(
      await readText(
        visitor,
        `/${databaseId}?${new URLSearchParams({ filter: "State", condition: "equals", value }).toString()}`,
      ),
    );
  expect(await find("done")).toEqual(["is done"]);
  expect(await find("Done")).toEqual(["is Done"]);
  expect(await find("DONE")).toEqual(["is Done"]);
  expect(await find(" Wait")).toEqual(["is  Wait"]);
});

test("a filter accepts the formats of the table, and explains invalid values and conditions", async () => {
  const fixture = await startWithTeas();
  const { client, visitor, databaseId } = fixture;
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: {
      properties: {
        Note: { rich_text: {} },
        Mail: { email: {} },
        Phone: { phone_number: {} },
        State: { status: {} },
        Tags: { multi_select: { options: Array.from("0123456789x", (name) => ({ name })) } },
        No: { unique_id: { prefix: "TEA" } },
        Done: { checkbox: {} },
        Due: { date: {} },
        Made: { created_time: {} },
        Changed: { last_edited_time: {} },
        Who: { people: {} },
        Files: { files: {} },
        Others: { relation: { database_id: databaseId, single_property: {} } },
        Author: { created_by: {} },
        Editor: { last_edited_by: {} },
      },
    },
  });
  const count = {
    relation_property_name: "Others",
    rollup_property_name: "Name",
    function: "count",
  } as const;
  await client.updateDatabase({
    path: { database_id: databaseId },
    body: { properties: { Count: { rollup: count } } },
  });
  await addTea(fixture, "Sencha", 12);
  const find = (filter: string, condition: string, value: string) =>
    findRows(fixture, { filter, condition, value });
  const values: Record<string, string> = {
    Price: "12",
    No: "TEA-1",
    Done: "no",
    Kind: "green",
    State: "Done",
    Others: "enc",
  };
  for (const name of ["Due", "Made", "Changed"]) values[name] = "2026-12-24";
  for (const name of ["Who", "Author", "Editor"]) values[name] = "Importer";
  const { body: database } = await client.retrieveDatabase({ path: { database_id: databaseId } });
  for (const property of Object.keys(database.properties)) {
    for (const condition of Object.keys(CONDITION_LABELS)) {
      const found = await find(property, condition, values[property] ?? "x");
      // The page either names the invalid condition or shows the result of the query.
      if (typeof found === "string") {
        expect([property, condition, found]).toEqual([
          property,
          condition,
          expect.stringMatching(
            /^“\w+” does not have this condition\. Choose one of: “(is|contains)|^Tables cannot be filtered by/,
          ),
        ]);
      }
    }
  }
  // The first condition of the form, and an option in other letters.
  expect(await find("Kind", "contains", "green")).toEqual(["Sencha"]);
  expect(await find("Price", "contains", "12")).toEqual(["Sencha"]);
  expect(await find("Tags", "does_not_contain", "x")).toEqual(["Sencha"]);
  expect(await find("Tags", "does_not_equal", "x")).toEqual(["Sencha"]);
  expect(await find("Kind", "does_not_contain", "green")).toEqual([]);
  expect(await find("Name", "does_not_contain", "enc")).toEqual([]);
  const filteredByPrice = await readText(visitor, `/${databaseId}?filter=Price&condition=contains&value=12`);
  // The form shows the condition that was applied instead.
  expect(filteredByPrice).toMatch(/value="equals" selected/);
  // Instead of a condition that the property does not have, its first one is offered.
  const refused = await readText(visitor, `/${databaseId}?filter=Price&condition=before&value=1`);
  expect(refused).toMatch(/value="equals" selected/);
  for (const [name, condition, options] of [
    ["Kind", "equals", "Its options are “Green”."],
    ["Kind", "does_not_equal", "Its options are “Green”."],
    ["State", "equals", "Its options are “Not started”, “In progress”, “Done”."],
    ["Tags", "contains", "Its options are “0”, “1”, “2”, “3”, “4”, “5”, “6”, “7”, “8”, “9”, …"],
  ] as const)
    expect(await find(name, condition, "Black")).toBe(`“${name}” has no option “Black”. ${options}`);
  for (const name of ["Kind", "Nothing ".repeat(30)]) {
    expect(await find(name, "equals", "Black ".repeat(30))).toMatch(/^.{100,140}…”\./);
  }
  expect(await find("Kind", "equals", "")).toBe(
    "Enter an option to filter by “Kind”. Its options are “Green”.",
  );
  for (const [name, placeholder] of [
    ["Done", "yes or no"],
    ["Due", "2026-12-24 (UTC)"],
    ["Changed", "2026-12-24 (UTC)"],
    ["Kind", "Value"],
  ] as const) {
    const form = await readText(visitor, `/${databaseId}?filter=${name}&condition=equals&value=`);
    expect(/name="value"[^>]*placeholder="([^"]*)"/.exec(form)?.[1]).toBe(placeholder);
  }
  for (const value of ["$12.00", "1,200%", "+12"])
    expect(await find("Price", "equals", value)).toEqual(["Sencha"]);
  for (const value of ["-$12.00", "CA$ 11.5"]) expect(await find("Price", "less_than", value)).toEqual([]);
  const choices = /<select[^>]*name="filter"[^>]*>(.*?)<\/select>/s.exec(
    await readText(visitor, `/${databaseId}`),
  )?.[1];
  expect(choices).toContain('value="Kind"');
  expect(choices).not.toContain('value="Count"');
  expect(await find("No", "equals", "TEA-1")).toEqual(["Sencha"]);
  expect(await find("No", "less_than", "9".repeat(15))).toEqual(["Sencha"]);
  expect(await find("No", "less_than", "9".repeat(16))).toMatch(/^Enter a number such as 12 /);
  expect(await find("Done", "equals", "no")).toEqual(["Sencha"]);
  expect(await find("Done", "equals", "maybe")).toContain("Enter “yes” or “no” to filter by “Done”.");
  expect(await find("Due", "before", "24 Dec 2026")).toContain("Enter a date such as 2026-12-24");
  expect(await find("Changed", "before", "soon")).toContain("Enter a date such as 2026-12-24");
  for (const value of ["No", "false", "0", "☐"])
    expect(await find("Done", "equals", value)).toEqual(["Sencha"]);
  for (const value of ["Yes", "true", "1", "☑"]) expect(await find("Done", "equals", value)).toEqual([]);
  expect(await find("Price", "greater_than", "cheap")).toContain("Enter a number such as 12.5");
  // The message about the sort is at the top, and the one about the filter at its field.
  const twice = await readText(visitor, `/${databaseId}?sort=None&filter=Price&condition=equals&value=cheap`);
  expect(twice).toMatch(/role="alert"[^>]*>\s*<p>The database has no property “None”/);
  expect(twice).toMatch(
    /name="value"[^>]*value="cheap"[^>]*aria-invalid="true" aria-describedby="filter-error"/,
  );
  expect(refused).toMatch(/name="condition"\s+aria-invalid="true" aria-describedby="filter-error"/);
  expect(await find("Name", "contains", "zzz")).toEqual([]);
  expect(await readText(visitor, `/${databaseId}?filter=Name&condition=contains&value=zzz`)).toContain(
    "No pages match the filter.",
  );
  const cleared = await readText(visitor, `/${databaseId}?filter=Price&condition=contains&value=`);
  expect(readRowTitles(cleared)).toEqual(["Sencha"]);
  // The form keeps the property, so that without JavaScript a visitor can choose it before the condition and the value.
  expect(cleared).toMatch(/value="Price"\s[^>]*selected/);
  const sorted = `/${databaseId}?sort=Price&direction=descending`;
  const filtered = await readText(visitor, `${sorted}&filter=Name&condition=contains&value=Sen`);
  expect(filtered).toContain('<a href="?sort=Price&#38;direction=descending">Clear</a>');
});

test.each([
  "sort=Nothing",
  "filter=Price&condition=contains&value=a",
  "filter=Nothing&condition=equals&value=a",
  "filter=__proto__&condition=equals&value=a",
  "filter=Price&condition=__proto__&value=1",
])("explains a query string that does not fit the database (%s), and shows all rows", async (query) => {
  const fixture = await startWithTeas();
  await addTea(fixture, "Sencha", 12);
  const response = await fixture.visitor.get(`/${fixture.databaseId}?${query}`);
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toMatch(/(role="alert"\s+tabindex="-1"|aria-describedby="filter-error")\s+autofocus/);
  expect(readRowTitles(page)).toEqual(["Sencha"]);
});
