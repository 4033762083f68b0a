import type { ApiDocument, ApiOperation } from "../support/api-document.js";
import type { Random } from "../support/random.js";
import { BODIES, PARAMETERS, SEGMENTS, mutate } from "./hostile.js";
import type { Memory } from "./memory.js";
import { Shapes } from "./shapes.js";

/** A request to send. */
export interface FuzzRequest {
  readonly operation: string;
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** An operation with the schemas of its query parameters and its body. */
interface Template {
  readonly operation: ApiOperation;
  readonly query: readonly { name: string; schema: unknown }[];
  readonly body: unknown;
}

const OTHER_METHODS = ["GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS", "HEAD"];

/** Weights of operations other than 1: operations that create come more often than operations that delete. */
const WEIGHTS: Record<string, number> = {
  createPage: 6,
  updatePage: 5,
  createDatabase: 3,
  updateDatabase: 3,
  queryDatabase: 8,
  appendBlockChildren: 5,
  updateBlock: 4,
  createComment: 2,
  search: 2,
};

/** Generates valid, almost valid and hostile requests from the document. */
export class Requests {
  private readonly templates: Template[];
  private readonly shapes: Shapes;

  constructor(
    document: ApiDocument,
    private readonly random: Random,
    private readonly memory: Memory,
  ) {
    this.shapes = new Shapes(document, random, memory);
    const { paths } = document.root as { paths: Record<string, Record<string, unknown>> };
    this.templates = document.operations().flatMap((operation) => {
      const item = paths[operation.path] ?? {};
      // The casts: the committed document is valid.
      const raw = item[operation.method.toLowerCase()] as RawOperation;
      const all = [...((item.parameters ?? []) as unknown[]), ...(raw.parameters ?? [])];
      const parameters = all.map((parameter) => this.shapes.resolve(parameter) as RawParameter);
      const template: Template = {
        operation,
        query: parameters.filter((parameter) => parameter.in === "query"),
        body: raw.requestBody?.content["application/json"]?.schema,
      };
      return Array.from({ length: WEIGHTS[operation.id] ?? 1 }, () => template);
    });
  }

  /** Generates the next request of the sequence. */
  next(): FuzzRequest {
    const { random } = this;
    const { operation, query, body } = random.pick(this.templates);
    const ids: Record<string, string> = {};
    const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (random.chance(0.02)) return random.pick(SEGMENTS);
      if (name === "property_id") return random.pick([...this.propertyIds(), "title", "nothing"]);
      return (ids[name] = this.memory.idFor(name, random) ?? "x");
    });
    const headers: Record<string, string> = {};
    let sent: string | Uint8Array | undefined;
    if (body !== undefined) {
      headers["Content-Type"] = random.chance(0.98)
        ? "application/json"
        : random.pick(["text/plain", "application/xml", "a/b;c"]);
      sent = this.body(operation.id, body, ids);
      if (random.chance(0.03))
        headers["Idempotency-Key"] = random.pick(["a", "b", "x".repeat(255), "x".repeat(256), "ä"]);
    }
    if (random.chance(0.01)) headers["Notion-Version"] = random.pick(["2022-06-28", "nonsense", ""]);
    const odd = random.chance(0.01);
    return {
      operation: operation.id,
      method: odd ? random.pick(OTHER_METHODS) : operation.method,
      path: `${random.chance(0.01) ? "/" : ""}${filled}${this.query(query)}`,
      headers,
      body: sent,
    };
  }

  private propertyIds(): string[] {
    return this.memory.propertiesOf(undefined, this.random).map(({ id }) => id);
  }

  private query(parameters: Template["query"]): string {
    const { random } = this;
    const pairs: string[] = [];
    for (const { name, schema } of parameters) {
      // `block_id`, the only required parameter, is mostly present.
      if (!random.chance(name === "block_id" ? 0.97 : 0.25)) continue;
      if (random.chance(0.1)) pairs.push(`${name}=${random.pick(PARAMETERS)}`);
      else {
        const generated = this.shapes.generate(schema, [name]);
        for (const value of [generated].flat())
          pairs.push(`${name}=${encodeURIComponent(replaceLoneSurrogates(String(value)))}`);
      }
    }
    if (random.chance(0.01))
      pairs.push(random.pick(["unknown=1", "%", "&&", "page_size=1&page_size=2", "a[b]=c"]));
    return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  }

  private body(operation: string, schema: unknown, ids: Record<string, string>): string | Uint8Array {
    const { random, memory } = this;
    if (random.chance(0.04)) return random.pick(BODIES);
    let database = ids.database_id ?? memory.databaseOf(ids.page_id);
    if (operation === "createPage") database = memory.idFor("database_id", random);
    const value = this.shapes.generate(schema, [operation], database);
    if (operation === "createPage" && random.chance(0.7)) {
      Object.assign(value as object, { parent: { database_id: database } });
    }
    if (operation === "createDatabase" && random.chance(0.6)) {
      const page_id = memory.idFor("page_id", random);
      Object.assign(value as object, { parent: random.chance(0.5) ? { page_id } : { workspace: true } });
    }
    const kind = random.below(100);
    if (kind < 60) return JSON.stringify(value);
    return mutate(value, kind < 85 ? 1 : 2 + random.below(4), random);
  }
}

interface RawParameter {
  name: string;
  in: string;
  schema: unknown;
}

interface RawOperation {
  parameters?: unknown[];
  requestBody?: { content: Record<string, { schema: unknown }> };
}

function replaceLoneSurrogates(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
