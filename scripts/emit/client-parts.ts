/**
 * Those statements of a text that others need, in the order of the text: a client brings along what its document asks
 * for and nothing else.
 *
 * @param text top-level statements with blank lines between, none within
 * @param roots code that is there in any case
 */
export function neededParts(text: string, roots: string): string[] {
  const parts = text
    .trim()
    .split(/\n\n(?=\S)/)
    .map((part) => ({ part, name: DECLARATION.exec(part)?.[1] ?? "", used: new Set(identifiers(part)) }));
  const known = new Map(parts.map((each) => [each.name, each]));
  const needed = new Set<string>();
  const queue = identifiers(roots);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const found = known.get(name);
    if (!found || needed.has(name)) continue;
    needed.add(name);
    queue.push(...found.used);
  }
  return parts.filter(({ name }) => needed.has(name)).map(({ part }) => part);
}

const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|const|type|interface|class) ([A-Za-z_$][\w$]*)/m;

/** The words of code that can be names; those of comments on lines of their own are left out. */
export function identifiers(code: string): string[] {
  return code.replace(/^ *(?:\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, "").match(/[A-Za-z_$][\w$]*/g) ?? [];
}
