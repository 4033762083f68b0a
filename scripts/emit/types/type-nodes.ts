import type ts from "typescript";
import { typescript } from "../../typescript.js";
import { createProperty } from "./openapi-typescript.js";

const { factory } = typescript;

/** Removes optional members of type `never`, which openapi-typescript prints for groups without parameters. */
export function removeNeverMembers(member: ts.TypeElement): ts.TypeElement[] {
  if (!typescript.isPropertySignature(member) || !member.type) return [member];
  if (member.questionToken && member.type.kind === typescript.SyntaxKind.NeverKeyword) return [];
  if (getMemberName(member) !== "parameters" || !typescript.isTypeLiteralNode(member.type)) return [member];
  const members = member.type.members.flatMap(removeNeverMembers);
  return [createProperty("parameters", factory.createTypeLiteralNode(members))];
}

/** Replaces the types of the properties of an object type. Returns any other type unchanged. */
export function replacePropertyTypes(
  type: ts.TypeNode,
  replace: (name: string, type: ts.TypeNode) => ts.TypeNode,
): ts.TypeNode {
  if (!typescript.isTypeLiteralNode(type)) return type;
  const members = type.members.map((member) => {
    if (!typescript.isPropertySignature(member) || !member.type) return member;
    const { modifiers, name, questionToken } = member;
    const replacement = replace(getMemberName(member), member.type);
    return factory.updatePropertySignature(member, modifiers, name, questionToken, replacement);
  });
  return factory.createTypeLiteralNode(members);
}

function getMemberName({ name }: ts.TypeElement): string {
  const isLiteral = name && (typescript.isStringLiteral(name) || typescript.isNumericLiteral(name));
  return name && (isLiteral || typescript.isIdentifier(name)) ? name.text : "";
}
