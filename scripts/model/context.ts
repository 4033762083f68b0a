import type { JsonObject } from "./model.js";
import { type Node, deref, unescapePointer } from "./node.js";
import type { SchemaGraph } from "./schema/graph.js";
import type { Direction, Schema } from "./schema/schema.js";

/** URI of the bundled document in the schema graph. */
export const DOCUMENT_URI = "openapi.json";

/** State of building a model. Problems are collected, so that all of them are reported together. */
export class BuildContext {
  /**
   * @param error reports an error at a place
   * @param warn reports a warning at a place
   */
  constructor(
    readonly document: JsonObject,
    readonly schemas: SchemaGraph,
    readonly error: (place: Node | string, message: string) => void,
    readonly warn: (place: Node | string, message: string) => void,
    private readonly shared = new Map<string, unknown>(),
  ) {}

  /** The same context, without reports of problems. */
  silent(): BuildContext {
    const ignore = (): void => {};
    return new BuildContext(this.document, this.schemas, ignore, ignore, this.shared);
  }

  /** The schema at a place, in the form of a direction. */
  schema(node: Node | undefined, direction: Direction): Schema | undefined {
    return node && this.schemas.at(DOCUMENT_URI, node.pointer)?.[direction];
  }

  /** The part at a place, or the target of the reference there; undefined if it cannot be resolved. */
  deref(node: Node): Node | undefined {
    return deref(this.document, node);
  }

  /** Builds a part of the document once for each direction: operations share components. */
  once<T>(node: Node, direction: Direction, build: () => T): T {
    const key = `${direction} ${node.pointer}`;
    // The cast: a place has one kind of part.
    if (this.shared.has(key)) return this.shared.get(key) as T;
    const part = build();
    this.shared.set(key, part);
    return part;
  }
}

/** Name of the component at a place, e.g. of `parameters`; undefined for any other place. */
export function componentName({ pointer }: Node, section: string): string | undefined {
  const [, root, kind, name, ...rest] = pointer.split("/");
  const isComponent = root === "components" && kind === section && rest.length === 0;
  return isComponent && name !== undefined ? unescapePointer(name) : undefined;
}
