import { describe, expect, test } from "vitest";
import { ApiDocument, type Node } from "../support/api-document.js";
import { Schemas } from "../support/schemas.js";

/** A value that the document says fits a schema, and where that is. */
interface Sample {
  readonly place: string;
  readonly schema: Node;
  readonly example: Node;
}

const document = ApiDocument.committed();
const operations = document.operations();
const schemas = new Schemas(document);

/** Every example that belongs to an operation. Those that operations share come up for each of them. */
function samples(): Sample[] {
  return operations.flatMap(({ id, parameters, body = [], responses }) => [
    ...parameters.flatMap((parameter) => at(`${id} parameter ${parameter.name}`, parameter)),
    ...body.flatMap((content) => at(`${id} request ${content.mediaType}`, content)),
    ...responses.flatMap(({ status, content, headers }) => [
      ...content.flatMap((media) => at(`${id} ${status} ${media.mediaType}`, media)),
      ...headers.flatMap((header) => at(`${id} ${status} header ${header.name}`, header)),
    ]),
  ]);
}

function at(place: string, { schema, examples }: { schema: Node; examples: readonly Node[] }): Sample[] {
  return examples.map((example) => ({ place, schema, example }));
}

/** The `examples` and `default` of every schema in the components. */
function schemaSamples(): Sample[] {
  const found: Sample[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== "object" || value === null) return;
    const schema = { pointer, value };
    for (const [key, child] of Object.entries(value)) {
      const childPointer = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (key === "examples" && Array.isArray(child)) {
        for (const example of child) {
          found.push({ place: childPointer, schema, example: { pointer: childPointer, value: example } });
        }
      } else visit(child, childPointer);
    }
  };
  const { components } = Object(document.root);
  visit(components.schemas, "/components/schemas");
  return found;
}

const all = samples();
const inSchemas = schemaSamples();

test("every example fits its schema", () => {
  const problems = [...all, ...inSchemas].flatMap(({ place, schema, example }) =>
    schemas.problems(schema, example.value).map((problem) => `${place} (${example.pointer}): ${problem}`),
  );
  expect(problems).toEqual([]);
  const different = new Set(all.map(({ example }) => example.pointer)).size;
  console.log(
    `${all.length} examples at ${operations.length} operations (${different} different ones) and ${inSchemas.length} in schemas fit their schemas.`,
  );
});

test("an example that does not fit would be found", () => {
  const broken = all.filter(({ schema }) => schemas.problems(schema, Symbol("nothing")).length === 0);
  expect(broken).toEqual([]);
});

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  test("each parameter has an example, and so has the request body of each media type", () => {
    const without = [...operation.parameters, ...(operation.body ?? [])].filter(
      ({ examples }) => examples.length === 0,
    );
    expect(without).toEqual([]);
  });

  test.each(operation.responses.map((response) => [response.status, response] as const))(
    "%s has an example of its body and of each header",
    (_status, { content, headers }) => {
      expect(content.length).toBeGreaterThan(0);
      const without = [...content, ...headers].filter(({ examples }) => examples.length === 0);
      expect(without).toEqual([]);
    },
  );

  test.each(
    operation.responses
      .filter(({ status }) => Number(status) >= 400)
      .map((response) => [response.status, response] as const),
  )("the examples of %s have that status", (status, { content }) => {
    for (const { value } of content.flatMap(({ examples }) => examples)) {
      expect(value).toMatchObject({ object: "error", status: Number(status) });
    }
  });
});

test("each error code that a response can have is shown by an example of it", () => {
  const missing = operations.flatMap(({ id, responses }) =>
    responses
      .filter(({ status }) => Number(status) >= 400)
      .flatMap(({ status, content }) =>
        content.flatMap(({ schema, examples }) => {
          const shown = examples.map(({ value }) => Object(value).code as unknown);
          return codesOf(schema.value)
            .filter((code) => !shown.includes(code))
            .map((code) => `${id} ${status} ${String(code)}`);
        }),
      ),
  );
  expect(missing).toEqual([]);
});

/** The codes that an error's schema lists: `const` or `enum` of `code`, wherever the schema states it. */
function codesOf(schema: unknown): unknown[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key !== "code" || typeof value !== "object" || value === null) return codesOf(value);
    if ("const" in value) return [value.const];
    return "enum" in value && Array.isArray(value.enum) ? value.enum : [];
  });
}
