import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MAX_PAGE_BYTES, MAX_SCHEMA_CHARACTERS } from "../../../../src/budgets.js";
import { DomainError } from "../../../../src/domain/errors.js";
import { newId } from "../../../../src/domain/ids.js";
import { applyProperties } from "../../../../src/domain/properties/apply.js";
import { toPropertyValues } from "../../../../src/domain/properties/response-values.js";
import type { StoredProperties } from "../../../../src/domain/properties/stored-values.js";
import { createSchema, type PropertyDefinition, type Schema } from "../../../../src/domain/schema.js";
import { plainProperty } from "../../../support/objects.js";

const schema = createSchema([
  plainProperty("title", "Title", "title"),
  plainProperty("note", "Notes", "rich_text"),
  plainProperty(":UPp", "Points", "number"),
  plainProperty("done", "Done", "checkbox"),
]);

/** Returns the stored values after a request was applied. */
function apply(
  schema: Schema,
  current: StoredProperties,
  changes: Readonly<Record<string, unknown>>,
): StoredProperties {
  return applyProperties(schema, current, changes).stored;
}

test("the error for an unknown status lists only the first 20 options", () => {
  const options = Array.from({ length: 25 }, (_, rank) => {
    return { id: `id${rank}`, name: `Option ${rank}`, color: "gray", description: null, rank } as const;
  });
  const status = { id: "stat", name: "Status", description: null, type: "status", groups: [] } as const;
  const describe = (count: number, name = "Later"): string => {
    const statusSchema = createSchema([{ ...status, options: options.slice(0, count) }]);
    try {
      apply(statusSchema, {}, { Status: { name } });
    } catch (error) {
      if (error instanceof DomainError) return error.message;
    }
    return "";
  };
  expect(describe(20)).toMatch(
    /^Status: there is no option named Later\. The options are: Option 0, .*, Option 19\.$/,
  );
  expect(describe(25)).toMatch(/, Option 19, and 5 more\.$/);
  expect(describe(1, "n".repeat(101))).toContain(`named ${"n".repeat(100)}…. The`);
});

test.each([
  ["number", "5"],
  ["number", { number: Infinity }],
  ["title", { title: [{ text: { content: "a", link: { url: " " } } }] }],
  ["multi_select", [{ id: "i".repeat(1000) }]],
  ["date", { start: "2026-05-04", end: "2026-05-03" }],
  ["email", ""],
  ["relation", 5],
  ["created_time", 5],
] as const)("the error for an invalid %s quotes only the start of long names: %j", (type, input) => {
  const name = "N".repeat(1000);
  const property = { ...plainProperty("prop", name, type), ...(type === "multi_select" && { options: [] }) };
  // The cast: the property has the options of its type.
  const longSchema = createSchema([property as PropertyDefinition]);
  expect(() => apply(longSchema, {}, { [name]: input })).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^(?=.*(N{100}…|i{99}…)).{1,400}$/) }),
  );
});

test("the path in an error quotes a name that is no identifier", () => {
  for (const [name, path] of [
    ["Mail", "body.properties.Mail.email.length"],
    ["E-mail", 'body.properties["E-mail"].email.length'],
  ] as const) {
    const mail = createSchema([plainProperty("mail", name, "email")]);
    expect(() => apply(mail, {}, { [name]: "" })).toThrow(`${path} should be`);
  }
});

test("a value adds no option that makes the schema too large", () => {
  const title = plainProperty("title", "N".repeat(MAX_SCHEMA_CHARACTERS - 250), "title");
  const select: PropertyDefinition = {
    ...plainProperty("kind", "Kind", "select"),
    type: "select",
    options: [],
  };
  const large = createSchema([title, select]);
  expect(() => apply(large, {}, { Kind: { name: "x".repeat(100) } })).toThrow(
    `Use at most ${MAX_SCHEMA_CHARACTERS}`,
  );
});

/** Renders the properties of a page for a response. */
function render(schema: Schema, properties: StoredProperties) {
  const page = { createdTime: 0, createdBy: "", lastEditedTime: 0, lastEditedBy: "", properties };
  return toPropertyValues(schema.definitions, page, {
    getUser: (id) => ({ object: "user", id }),
    getLinks: () => ({ pageIds: [], hasMore: false }),
    computeRollup: ({ function: name }) => ({ type: "number", number: null, function: name }),
  });
}

const plain = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default" as const,
};
const hello = {
  type: "text",
  text: { content: "Hello", link: null },
  annotations: plain,
  plain_text: "Hello",
  href: null,
} as const;

describe("values", () => {
  const title = [{ text: { content: "Hello" } }];
  test.each([
    ["wrapped", { title }],
    ["wrapped with its type", { type: "title", title }],
    ["in the format of responses", { id: "title", name: "Title", type: "title", title: [hello] }],
    ["bare", title],
  ])("a title is accepted %s", (_, value) => {
    expect(apply(schema, {}, { Title: value })).toEqual({ title: [hello] });
  });

  test("links and annotations are stored, derived fields are ignored", () => {
    const item = {
      type: "text",
      text: { content: "Hello", link: { url: "https://example.com" } },
      annotations: { bold: true, color: "red" },
      plain_text: "something else",
      href: "https://example.org",
    };
    expect(apply(schema, {}, { Notes: { rich_text: [item] } })).toEqual({
      note: [
        {
          type: "text",
          text: { content: "Hello", link: { url: "https://example.com" } },
          annotations: { ...plain, bold: true, color: "red" },
          plain_text: "Hello",
          href: "https://example.com",
        },
      ],
    });
  });

  test("a bare text can consist of equations and mentions", () => {
    const runs = [{ equation: { expression: "x" } }, { mention: { date: { start: "2026-05-04" } } }];
    const stored = apply(schema, {}, { Notes: runs });
    expect(stored.note).toMatchObject([{ plain_text: "x" }, { plain_text: "2026-05-04" }]);
  });

  test("repeated options, people and links are stored once", () => {
    const id = newId();
    const related: PropertyDefinition = {
      ...plainProperty("rltn", "Related", "relation"),
      type: "relation",
      databaseId: newId(),
      syncedPropertyId: null,
    };
    const tags: PropertyDefinition = {
      ...plainProperty("tags", "Tags", "multi_select"),
      type: "multi_select",
      options: [],
    };
    const lists = createSchema([related, tags, plainProperty("folk", "People", "people")]);
    const twice = [{ id }, { id: id.toUpperCase() }];
    const changes = { Tags: [{ name: "a" }, { name: "a" }], People: twice, Related: twice };
    const { stored, links } = applyProperties(lists, {}, changes);
    expect(stored).toEqual({ tags: [expect.any(String)], folk: [id] });
    expect([...links.values()]).toEqual([[id]]);
  });

  test("numbers and checkboxes are accepted wrapped and bare", () => {
    expect(apply(schema, {}, { Points: { number: 0 }, Done: { checkbox: false } })).toEqual({
      ":UPp": 0,
      done: false,
    });
    expect(apply(schema, {}, { Points: 1.5, Done: true })).toEqual({ ":UPp": 1.5, done: true });
  });

  test("null clears a value, omitted values stay, and the input is not modified", () => {
    const current = { title: [hello], note: [hello], ":UPp": 1, done: true };
    const copy = structuredClone(current);
    expect(apply(schema, current, { Points: null, Title: { title: null } })).toEqual({
      note: [hello],
      done: true,
    });
    expect(apply(schema, current, { Points: { type: "number", number: null } })).toEqual({
      title: [hello],
      note: [hello],
      done: true,
    });
    expect(current).toEqual(copy);
  });

  test("the values of removed properties do not count towards the size of a page", () => {
    const note = [{ ...hello, text: { content: "x".repeat(MAX_PAGE_BYTES), link: null } }];
    expect(apply(schema, { removed: note }, { Points: 1 })).toEqual({ removed: note, ":UPp": 1 });
    expect(() => apply(schema, { note }, { Points: 1 })).toThrow(`≤ \`${MAX_PAGE_BYTES}\` bytes`);
  });
});

describe("keys", () => {
  test.each(["Points", ":UPp", "%3AUPp", "%3aUPp"])("%s names the property", (key) => {
    expect(apply(schema, {}, { [key]: 5 })).toEqual({ ":UPp": 5 });
  });

  test("a name takes precedence over another property's id", () => {
    const tricky = createSchema([
      plainProperty("title", "Name", "title"),
      plainProperty("abcd", "title", "number"),
    ]);
    expect(apply(tricky, {}, { title: 5 })).toEqual({ abcd: 5 });
  });

  test("keys that no id can have are not decoded, because thousands of errors take long", () => {
    const decode = vi.spyOn(globalThis, "decodeURIComponent");
    onTestFinished(() => decode.mockRestore());
    const keys = ["%", "%3", "%zz", "%41%zz", "%zz%41", "%ff", "%E0%A4%A", "a%", "%41%"];
    expect(() => apply(schema, {}, Object.fromEntries(keys.map((key) => [key, 5])))).toThrow(DomainError);
    expect(decode).not.toHaveBeenCalled();
    expect(apply(schema, {}, { "%3aU%50p": 5 })).toEqual({ ":UPp": 5 });
  });

  test.each(["points", "", "%", "%E0%A4%A", "__proto__", "constructor", "toString"])(
    "%j is an unknown property",
    (key) => {
      const changes: unknown = JSON.parse(`{${JSON.stringify(key)}: 5}`);
      expect(() => apply(schema, {}, changes as Record<string, unknown>)).toThrow(
        new DomainError("validation", `${key} is not a property that exists.`),
      );
    },
  );

  test("two keys for one property are refused", () => {
    expect(() => apply(schema, {}, { Points: 1, "%3AUPp": 2 })).toThrow(
      new DomainError("validation", "Points and %3AUPp name the same property."),
    );
  });
});

describe("mistakes", () => {
  test.each([
    ["Title", "Hello", "title"],
    ["Title", { rich_text: [] }, "title"],
    ["Title", { title: [], rich_text: [] }, "title"],
    ["Title", { type: "rich_text", title: [] }, "title"],
    ["Title", {}, "title"],
    ["Title", [{ id: "a user" }], "title"],
    ["Title", ["Hello"], "title"],
    ["Notes", [{ text: "Hello" }], "rich_text"],
    ["Points", "5", "number"],
    ["Points", { number: "5" }, "number"],
    ["Points", [], "number"],
    ["Done", 1, "checkbox"],
    ["Done", { type: "checkbox" }, "checkbox"],
  ])("%s must not be %j", (name, value, type) => {
    expect(() => apply(schema, {}, { [name]: value })).toThrow(
      new DomainError("validation", `${name} is expected to be ${type}.`),
    );
  });

  test("all mistakes of a request are reported in order", () => {
    expect(() => apply(schema, {}, { done: 1, Nope: 1, Points: true, Title: null })).toThrow(
      new DomainError(
        "validation",
        "Done is expected to be checkbox. Nope is not a property that exists. Points is expected to be number.",
      ),
    );
    const names = Array.from({ length: 20 }, (_, index) => `No ${index}`);
    expect(() => apply(schema, {}, Object.fromEntries(names.map((name) => [name, 1])))).toThrow(
      new DomainError("validation", names.map((name) => `${name} is not a property that exists.`).join(" ")),
    );
  });
});

describe("responses", () => {
  test("show every property in the order of the schema, with its encoded id and an empty value", () => {
    const rendered = render(schema, {});
    expect(rendered).toEqual({
      Title: { id: "title", type: "title", title: [] },
      Notes: { id: "note", type: "rich_text", rich_text: [] },
      Points: { id: "%3AUPp", type: "number", number: null },
      Done: { id: "done", type: "checkbox", checkbox: false },
    });
    expect(Object.keys(rendered)).toEqual(["Title", "Notes", "Points", "Done"]);
  });

  test("show stored values and are accepted unchanged by an update", () => {
    const stored = { title: [hello], note: [hello], ":UPp": -2, done: true };
    const rendered = render(schema, stored);
    expect(rendered).toEqual({
      Title: { id: "title", type: "title", title: [hello] },
      Notes: { id: "note", type: "rich_text", rich_text: [hello] },
      Points: { id: "%3AUPp", type: "number", number: -2 },
      Done: { id: "done", type: "checkbox", checkbox: true },
    });
    const echo: Record<string, unknown> = JSON.parse(JSON.stringify(rendered));
    expect(apply(schema, {}, echo)).toEqual(stored);
  });

  test("properties can have names of Object.prototype", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const odd = createSchema(names.map((name, index) => plainProperty(`id0${index}`, name, "number")));
    const changes: Record<string, unknown> = JSON.parse(
      '{"__proto__": {"number": 1}, "constructor": 2, "toString": 3, "hasOwnProperty": 4}',
    );
    const stored = apply(odd, {}, changes);
    expect(stored).toEqual({ id00: 1, id01: 2, id02: 3, id03: 4 });
    const rendered = render(odd, stored);
    expect(Object.getPrototypeOf(rendered)).toBe(Object.prototype);
    expect(JSON.stringify(rendered)).toBe(
      `{${names
        .map((name, index) => `"${name}":{"id":"id0${index}","type":"number","number":${index + 1}}`)
        .join(",")}}`,
    );
    expect(Object.hasOwn(Object.prototype, "number")).toBe(false);
  });
});

test("a value with an option that exists leaves the schema unchanged, and a new option is added to it", () => {
  const option = { id: "aaaa", name: "Blue", color: "blue", description: null, rank: 0 } as const;
  const tags = {
    ...plainProperty("tags", "Tags", "multi_select"),
    type: "multi_select",
    options: [option],
  } as const;
  const before = createSchema([plainProperty("title", "Title", "title"), tags]);
  const set = (...names: string[]) =>
    applyProperties(before, {}, { Tags: { multi_select: names.map((name) => ({ name })) } }).schema;
  expect(set("Blue")).toBe(before);
  expect(set("Blue", "Green").byId.get("tags")).toMatchObject({
    options: [option, { name: "Green", rank: 1 }],
  });
});
