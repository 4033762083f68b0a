import { describe, expect, test } from "vitest";
import { ApiDocument, type Node } from "../support/api-document.js";
import { Schemas } from "../support/schemas.js";

/** An example of the document, with its schema and its location. */
interface Sample {
  readonly place: string;
  readonly schema: Node;
  readonly example: Node;
}

const document = ApiDocument.committed();
const operations = document.operations();
const schemas = new Schemas(document);

/** Lists the examples of operations. Shared examples are repeated for each operation. */
function listOperationSamples(): Sample[] {
  return operations.flatMap(({ id, parameters, body = [], responses }) => [
    ...parameters.flatMap((parameter) => createSamples(`${id} parameter ${parameter.name}`, parameter)),
    ...body.flatMap((content) => createSamples(`${id} request ${content.mediaType}`, content)),
    ...responses.flatMap(({ status, content, headers }) => [
      ...content.flatMap((media) => createSamples(`${id} ${status} ${media.mediaType}`, media)),
      ...headers.flatMap((header) => createSamples(`${id} ${status} header ${header.name}`, header)),
    ]),
  ]);
}

function createSamples(
  place: string,
  { schema, examples }: { schema: Node; examples: readonly Node[] },
): Sample[] {
  return examples.map((example) => ({ place, schema, example }));
}

/** Lists the `examples` of every schema in the components. */
function listSchemaSamples(): Sample[] {
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

const all = listOperationSamples();
const inSchemas = listSchemaSamples();

test("every example fits its schema", () => {
  const problems = [...all, ...inSchemas].flatMap(({ place, schema, example }) =>
    schemas.problems(schema, example.value).map((problem) => `${place} (${example.pointer}): ${problem}`),
  );
  expect(problems).toEqual([]);
  const different = new Set(all.map(({ example }) => example.pointer)).size;
  console.log(
    `${all.length} examples at ${operations.length} operations (${different} distinct) and ${inSchemas.length} in schemas fit their schemas.`,
  );
});

test("every schema rejects an invalid value", () => {
  const broken = all.filter(({ schema }) => schemas.problems(schema, Symbol("nothing")).length === 0);
  expect(broken).toEqual([]);
});

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  test("each parameter and the request body of each media type have an example", () => {
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

test("each error code of a response has an example", () => {
  const missing = operations.flatMap(({ id, responses }) =>
    responses
      .filter(({ status }) => Number(status) >= 400)
      .flatMap(({ status, content }) =>
        content.flatMap(({ schema, examples }) => {
          const shown = examples.map(({ value }) => Object(value).code as unknown);
          return listCodes(schema.value)
            .filter((code) => !shown.includes(code))
            .map((code) => `${id} ${status} ${String(code)}`);
        }),
      ),
  );
  expect(missing).toEqual([]);
});

/** Lists the error codes of a schema: the `const` or `enum` of each `code` at any depth. */
function listCodes(schema: unknown): unknown[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key !== "code" || typeof value !== "object" || value === null) return listCodes(value);
    if ("const" in value) return [value.const];
    return "enum" in value && Array.isArray(value.enum) ? value.enum : [];
  });
}
