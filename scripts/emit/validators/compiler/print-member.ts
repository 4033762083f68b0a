import { printStringLiteral } from "../../../code/encode.js";

/** Whether every object inherits a member with this name, so that reading it does not show whether the object has its own. */
export function isInheritedName(name: string): boolean {
  return Object.hasOwn(Object.prototype, name);
}

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
  return isInheritedName(name) ? printHasOwn(object, name) : `${printMember(object, name)} !== undefined`;
}

/** Prints the condition that an object does not have an own member. */
export function printLacksMember(object: string, name: string): string {
  return isInheritedName(name)
    ? `!${printHasOwn(object, name)}`
    : `${printMember(object, name)} === undefined`;
}

function printHasOwn(object: string, name: string): string {
  return `Object.hasOwn(${object}, ${printStringLiteral(name)})`;
}
