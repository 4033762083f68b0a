import { printPropertyKey } from "../../code/encode.js";

/** A property of an object literal: its name, and the source code of its value. */
export type ObjectProperty = readonly [name: string, expression: string];

/** Prints an object literal on one line. Quotes the names that are not identifiers. */
export function printObjectLiteral(properties: readonly ObjectProperty[]): string {
  if (properties.length === 0) return "{}";
  return `{ ${properties.map(([name, expression]) => `${printPropertyKey(name)}: ${expression}`).join(", ")} }`;
}

/** Prints an object literal as an optional argument of a function call. Returns no arguments for an empty object. */
export function printObjectArgument(properties: readonly ObjectProperty[]): string[] {
  return properties.length === 0 ? [] : [printObjectLiteral(properties)];
}

/** Prints a property whose value is an object literal. Returns no properties for an empty object. */
export function printObjectProperty(name: string, properties: readonly ObjectProperty[]): string[] {
  return properties.length === 0 ? [] : [`${name}: ${printObjectLiteral(properties)}`];
}
