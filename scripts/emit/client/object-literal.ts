import { propertyKey } from "../../code/encode.js";

/** Adds an import of a value from the client runtime to the generated file, and returns the name of the value. */
export type ImportRuntime = (name: string) => string;

/** A property of an object literal: its name, and the source of its value. */
export type ObjectProperty = readonly [name: string, expression: string];

/** Prints an object literal. */
export function objectLiteral(properties: readonly ObjectProperty[]): string {
  if (properties.length === 0) return "{}";
  return `{ ${properties.map(([name, expression]) => `${propertyKey(name)}: ${expression}`).join(", ")} }`;
}

/** Prints an object literal, or `""` instead of an empty one. */
export function nonEmptyObjectLiteral(properties: readonly ObjectProperty[]): string {
  return properties.length === 0 ? "" : objectLiteral(properties);
}

/** Prints a property whose value is an object literal. Returns no text for an empty object. */
export function nonEmptyProperty(name: string, properties: readonly ObjectProperty[]): string[] {
  return properties.length === 0 ? [] : [`${name}: ${objectLiteral(properties)}`];
}
