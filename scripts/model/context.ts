import { isObject, type JsonObject, unescapePointer } from "../json.js";
import { DOCUMENT_URI } from "../json-schema/uri.js";
import { type DocumentNode, deref } from "./node.js";
import type { SchemaGraph } from "./schema/graph.js";
import type { Direction, Schema } from "./schema/schema.js";

type PartKind =
  "parameter" | "parameter list" | "request body" | "response" | "security requirement" | "server";

/** Reports a problem at a node or a JSON pointer. All problems are collected, and reported together. */
export type Report = (location: DocumentNode | string, message: string) => void;

/** Functions that report errors and warnings. */
export type Reports = Record<"error" | "warn", Report>;

const IGNORE: Reports = { error: () => {}, warn: () => {} };

/** State of building a model. */
export class BuildContext {
  readonly root: DocumentNode;
  readonly isOpenApi32: boolean;
  readonly error: Report;
  readonly warn: Report;

  constructor(
    readonly document: JsonObject,
    readonly schemas: SchemaGraph,
    private readonly reports: Reports,
    /** The variant of the schemas in the message that is built: `request` for messages to the server. */
    readonly direction: Direction = "request",
    private readonly cache = new Map<string, unknown>(),
  ) {
    this.root = { value: document, pointer: "" };
    this.isOpenApi32 = String(document.openapi).startsWith("3.2");
    ({ error: this.error, warn: this.warn } = reports);
  }

  /** Returns a copy of this context that reports no problems. */
  withoutReports(): BuildContext {
    return new BuildContext(this.document, this.schemas, IGNORE, this.direction, this.cache);
  }

  /** Returns a copy of this context for messages in the other direction: for the responses to requests, or for webhooks. */
  reverse(): BuildContext {
    const direction = this.direction === "request" ? "response" : "request";
    return new BuildContext(this.document, this.schemas, this.reports, direction, this.cache);
  }

  /** Returns the schema at a node, in the variant for the message. */
  findSchema(node: DocumentNode | undefined): Schema | undefined {
    return node && this.schemas.findByPointer(DOCUMENT_URI, node.pointer)?.[this.direction];
  }

  deref(node: DocumentNode): DocumentNode | undefined {
    return deref(this.document, node);
  }

  /** Returns the object that a reference leads to. Reports a reference that cannot be resolved or leads to another value. */
  derefObject(reference: DocumentNode, subject: string): DocumentNode | undefined {
    const node = this.deref(reference);
    if (node && isObject(node.value)) return node;
    const problem = node ? "is not an object" : "cannot be resolved";
    this.error(reference, `The ${subject} ${problem}. Correct its $ref or add the target.`);
    return undefined;
  }

  /** Returns the object with `content` that a reference leads to. Reports a reference that leads to a schema or to no object. */
  derefContent(reference: DocumentNode, kind: "response" | "request body"): DocumentNode | undefined {
    const node = this.derefObject(reference, kind);
    if (!node || getComponentName(node, "schemas") === undefined) return node;
    this.error(
      reference,
      `This $ref leads to a schema, not to a ${kind}. Write \`content\` with a media type, and the $ref as its \`schema\`.`,
    );
    return undefined;
  }

  /**
   * Caches a part by kind, node and direction, because operations share components, and a misplaced `$ref` can lead to another kind. Parts
   * built without reports are not cached, so that their problems are reported later.
   */
  buildOnce<T>(kind: PartKind, node: DocumentNode, build: () => T): T {
    const key = `${kind} ${this.direction} ${node.pointer}`;
    // Safe cast: all callers build the same type of value for a kind.
    if (this.cache.has(key)) return this.cache.get(key) as T;
    const part = build();
    if (this.reports !== IGNORE) this.cache.set(key, part);
    return part;
  }
}

/** Returns the name of a component in a section such as `parameters`; undefined for any other node. */
export function getComponentName({ pointer }: DocumentNode, section: string): string | undefined {
  const [, root, kind, name, ...rest] = pointer.split("/");
  const isComponent = root === "components" && kind === section && rest.length === 0;
  return isComponent && name !== undefined ? unescapePointer(name) : undefined;
}
