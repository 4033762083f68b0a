import { printStringLiteral } from "../../../code/encode.js";

/** Names that every object inherits, so that reading such a member also finds inherited ones. */
const INHERITED_NAMES = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Prints the expression that reads a member of an object. */
export function printMember(object: string, name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)
    ? `${object}.${name}`
    : `${object}[${printStringLiteral(name)}]`;
}

/**
 * Prints the condition that an object has an own member. JSON has no undefined, so reading the member suffices for most
 * names.
 */
export function printHasMember(object: string, name: string): string {
  return INHERITED_NAMES.has(name) ? printHasOwn(object, name) : `${printMember(object, name)} !== undefined`;
}

/** Prints the condition that an object does not have an own member. */
export function printLacksMember(object: string, name: string): string {
  return INHERITED_NAMES.has(name)
    ? `!${printHasOwn(object, name)}`
    : `${printMember(object, name)} === undefined`;
}

function printHasOwn(object: string, name: string): string {
  return `Object.hasOwn(${object}, ${printStringLiteral(name)})`;
}
