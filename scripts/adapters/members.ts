import {
  type ClassInstanceMemberTypes,
  Node,
  type ObjectLiteralElementLike,
  Scope,
  SyntaxKind,
} from "ts-morph";
import { type ImplementationBody, readName } from "./implementations.js";
import { formatStubMessage } from "./stub.js";

/** A member of an implementation. */
export interface Member {
  name: string;
  /** The name in the source. */
  node: Node;
  /** Whether the member seems to handle an operation, unlike data and helpers. */
  handlerLike: boolean;
  /** Whether the member is an unchanged stub. */
  stub: boolean;
  /** The operation in the comment before the member, such as `GET /v1/pages`. Stubs have one. */
  route: string | undefined;
}

/** The members of an implementation. */
export interface Members {
  members: Member[];
  /** The first element that may add members with unknown names, if there is one. */
  opaqueElement: { node: Node; kind: "spread" | "computed name" | "base class" } | undefined;
}

/** Lists the members of an object literal or a class. */
export function listMembers(body: ImplementationBody): Members {
  if (Node.isObjectLiteralExpression(body)) {
    const elements = body.getProperties();
    const opaqueElement = elements.find((element) => readName(element) === undefined);
    return {
      // A value of unknown type may be a function.
      members: elements.flatMap((element) =>
        describeMember(element, isCallable(element) || element.getType().isAny()),
      ),
      opaqueElement: opaqueElement && {
        node: opaqueElement,
        kind: Node.isSpreadAssignment(opaqueElement) ? "spread" : "computed name",
      },
    };
  }
  const accesses = body.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression);
  const usedOnThis = new Set(
    accesses
      .filter((access) => Node.isThisExpression(access.getExpression()))
      .map((access) => access.getName()),
  );
  // Methods that the class itself calls are helpers, not orphaned handlers.
  const isHelper = (member: ClassInstanceMemberTypes): boolean =>
    member.getScope() !== Scope.Public ||
    member.getName().startsWith("_") ||
    usedOnThis.has(member.getName());
  const base = body.getExtends();
  return {
    members: body
      .getInstanceMembers()
      .flatMap((member) => describeMember(member, isCallable(member) && !isHelper(member))),
    // A computed name in a class is usually a well-known symbol, not a handler.
    opaqueElement: base && { node: base.getParentOrThrow(), kind: "base class" },
  };
}

function describeMember(
  member: ObjectLiteralElementLike | ClassInstanceMemberTypes,
  handlerLike: boolean,
): Member[] {
  const name = readName(member);
  if (Node.isSpreadAssignment(member) || name === undefined) return [];
  const comment = member.getSourceFile().getFullText().slice(member.getPos(), member.getStart());
  const [, method, path = ""] =
    /^[\s/*]*(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE|QUERY) (\/\S*)/.exec(comment) ?? [];
  const statements = Node.isMethodDeclaration(member) && member.hasBody() ? member.getStatements() : [];
  return [
    {
      name,
      node: member.getNameNode(),
      handlerLike,
      // A formatter may have changed the quotes.
      stub:
        statements.length === 1 &&
        new RegExp(`["'\`]${formatStubMessage(name)}["'\`]`).test(member.getText()),
      // A colon separates the path from the summary.
      route: method === undefined ? undefined : `${method} ${path.replace(/:$/, "")}`,
    },
  ];
}

function isCallable(member: Node): boolean {
  return member.getType().getCallSignatures().length > 0;
}
