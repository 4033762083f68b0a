import { propertyKey } from "../../code/encode.js";

/** Imports a value from the client runtime and returns its name. */
export type Use = (name: string) => string;

/** A member of a printed object literal: its name, and an expression. */
export type Entry = readonly [name: string, expression: string];

/** Prints an object literal of expressions. */
export function table(entries: readonly Entry[]): string {
  if (entries.length === 0) return "{}";
  return `{ ${entries.map(([name, expression]) => `${propertyKey(name)}: ${expression}`).join(", ")} }`;
}

/** Prints an object literal as an argument; omitted if it is empty. */
export function optionalTable(entries: readonly Entry[]): string {
  return entries.length === 0 ? "" : table(entries);
}

/** Prints an object literal as a member; omitted if it is empty. */
export function tableMember(name: string, entries: readonly Entry[]): string[] {
  return entries.length === 0 ? [] : [`${name}: ${table(entries)}`];
}
