import type { JsonObject } from "../../model/model.js";
import { pascalCase, uniqueNames } from "../../model/names.js";
import { type Node, child, entries } from "../../model/node.js";
import { type Needs, circles, needsOf } from "./needs.js";

/** What a reference from one component schema to another becomes where TypeScript could not follow it. */
export type Detour =
  /** The type alias that the other one is written as. */
  | { kind: "alias"; name: string }
  /** The other one without its union: what it is a union of extends it. */
  | { kind: "base" }
  /** Nothing: the one says no more than itself. */
  | { kind: "nothing" };

/**
 * Finds the component schemas that lead to themselves other than through a property of an object. TypeScript does not
 * follow such circles through the members of `components`; it does, through lists, between type aliases.
 */
export class Circles {
  private readonly needs = new Map<string, Needs>();
  /** Numbers of the circles of schemas that judge the same value. */
  private readonly same = new Map<string, number>();
  private readonly unions = new Map<string, number>();
  private readonly lists = new Map<string, number>();
  private readonly aliases: ReadonlyMap<string, string>;

  constructor(document: JsonObject, resolve: (ref: string) => Node | undefined) {
    const components = child({ value: document, pointer: "" }, "components");
    const queue = entries(components && child(components, "schemas")).map(([, schema]) => schema);
    const known = new Set(queue.map(({ pointer }) => pointer));
    for (const { value, pointer } of queue) {
      const needs = needsOf(value, resolve);
      this.needs.set(pointer, needs);
      for (const needed of [...needs.all, ...needs.one, ...needs.items]) {
        if (known.has(needed)) continue;
        known.add(needed);
        const target = resolve(`#${needed.replaceAll("%", "%25")}`);
        if (target) queue.push(target);
      }
    }
    number(
      this.same,
      circles(known, (pointer) => this.next(pointer, "all", "one")),
    );
    number(
      this.unions,
      circles(known, (pointer) => this.next(pointer, "one")),
    );
    const inLists = circles(known, (pointer) => this.afterDetours(pointer));
    number(this.lists, inLists);
    // The prefix keeps them apart from all other names of the file.
    this.aliases = uniqueNames(
      inLists.flat(),
      (pointer) => `Schema${pascalCase(pointer.slice(pointer.lastIndexOf("/") + 1))}`,
      (pointer) => pointer,
    );
  }

  /** Name of the type alias that a schema is written as, or undefined. */
  aliasOf(pointer: string): string | undefined {
    return this.aliases.get(pointer);
  }

  /**
   * What a reference becomes.
   *
   * @param from pointer of the component schema that it stands in
   * @param how it is needed there
   */
  detour(from: string, to: string, how: keyof Needs): Detour | undefined {
    if (how !== "items" && isSame(this.same, from, to)) {
      if (how === "all") return { kind: "base" };
      if (isSame(this.unions, from, to)) return { kind: "nothing" };
    }
    const name = isSame(this.lists, from, to) ? this.aliases.get(to) : undefined;
    return name === undefined ? undefined : { kind: "alias", name };
  }

  private next(pointer: string, ...how: (keyof Needs)[]): string[] {
    const needs = this.needs.get(pointer);
    return needs ? how.flatMap((key) => [...needs[key]]) : [];
  }

  /** What a schema still needs: in place of a base stands what that needs itself. */
  private afterDetours(pointer: string, isBase = false, seen = new Set<string>()): string[] {
    seen.add(pointer);
    const bases = this.next(pointer, "all").filter((to) => isSame(this.same, pointer, to));
    const others = this.next(pointer, "all").filter((to) => !isSame(this.same, pointer, to));
    // A base is written without its union.
    const unions = isBase ? [] : this.next(pointer, "one").filter((to) => !isSame(this.unions, pointer, to));
    const inherited = bases.flatMap((base) => (seen.has(base) ? [] : this.afterDetours(base, true, seen)));
    return [...others, ...unions, ...this.next(pointer, "items"), ...inherited];
  }
}

function number(numbers: Map<string, number>, groups: string[][]): void {
  for (const [index, group] of groups.entries()) for (const pointer of group) numbers.set(pointer, index);
}

function isSame(numbers: Map<string, number>, a: string, b: string): boolean {
  const group = numbers.get(a);
  return group !== undefined && group === numbers.get(b);
}
