import ts from "typescript";

/** A SELECT in a source file. */
export interface Select {
  /** The file and the function, method or constant that contains it, such as `src/storage/pages/pages.ts findPages`. */
  readonly location: string;
  /** Whether the statement itself shows that it reads few rows. */
  readonly isBounded: boolean;
}

/** Methods of Kysely that take a subquery. Its rows do not reach the process. */
const SUBQUERY_PARENTS: ReadonlySet<string> = new Set(["where", "exists", "expression", "unionAll"]);

/** Functions of `sql-helpers.ts` that add ID_CONDITION or a limit to a query. */
const BOUNDED_READERS: ReadonlySet<string> = new Set(["hasRows", "readByIds"]);

/** Condition of `sql-helpers.ts` for rows with given ids. */
const ID_CONDITION = /\bbuildHasAnyId\(/;

/** Functions that return a SELECT, whose callers add conditions and limits. */
const BUILDERS: ReadonlySet<string> = new Set([
  "selectAccounts",
  "selectFrom",
  "selectInvitations",
  "selectListedKeys",
  "selectMembers",
  "selectVisibleLinks",
  "selectWorkspaces",
]);

/**
 * Finds the SELECTs in a source file: those of Kysely, and templates that are executed where they stand. One is bounded if it
 * has a limit, selects rows by their ids or is a subquery.
 */
export function findSelects(file: string, text: string): Select[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const selects: Select[] = [];
  visit(source);
  return selects;

  function visit(node: ts.Node): void {
    const name = findDeclarationName(node);
    const location = `${file} ${name}`;
    if (ts.isTaggedTemplateExpression(node) && isExecuted(node)) {
      const sql = node.template.getText().slice(1);
      if (/^\s*select\b/i.test(sql)) selects.push({ location, isBounded: /\blimit\b/i.test(sql) });
    } else if (ts.isCallExpression(node) && isSelectName(getCalledName(node) ?? "") && !BUILDERS.has(name)) {
      const chain = findChain(node);
      const hasLimit = chain.methods.includes("limit");
      const isById = ID_CONDITION.test(chain.text);
      const isPassedOn = isInArgumentOf(node, BOUNDED_READERS) || isInArgumentOf(node, SUBQUERY_PARENTS);
      const isBounded = hasLimit || isById || isPassedOn;
      selects.push({ location, isBounded });
    }
    ts.forEachChild(node, visit);
  }
}

function isExecuted({ parent }: ts.TaggedTemplateExpression): boolean {
  return ts.isPropertyAccessExpression(parent) && parent.name.text === "execute";
}

function isSelectName(name: string): boolean {
  return name === "selectFrom" || BUILDERS.has(name);
}

function getCalledName({ expression }: ts.CallExpression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}

/** Follows the calls on a query to the end: `selectFrom("pages").select("id").limit(1)`. */
function findChain(call: ts.CallExpression): { readonly text: string; readonly methods: readonly string[] } {
  const methods: string[] = [];
  let node: ts.Expression = call;
  for (;;) {
    const { parent } = node;
    const continues = ts.isPropertyAccessExpression(parent) || ts.isCallExpression(parent);
    if (!continues || parent.expression !== node) return { text: node.getText(), methods };
    if (ts.isPropertyAccessExpression(parent)) methods.push(parent.name.text);
    node = parent;
  }
}

function isInArgumentOf(node: ts.Node, functions: ReadonlySet<string>): boolean {
  for (let child = node; !ts.isSourceFile(child.parent); child = child.parent) {
    const { parent } = child;
    if (!ts.isCallExpression(parent) || parent.expression === child) continue;
    if (functions.has(getCalledName(parent) ?? "")) return true;
  }
  return false;
}

/** Returns the name of the outermost function, method or constant around a node. */
function findDeclarationName(node: ts.Node): string {
  let name = "";
  for (let parent = node; !ts.isSourceFile(parent); parent = parent.parent) {
    if (
      ts.isFunctionDeclaration(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isVariableDeclaration(parent)
    ) {
      name = parent.name?.getText() ?? "";
    }
  }
  return name;
}
