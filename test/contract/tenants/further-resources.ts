import { ApiDocument } from "../../support/api-document.js";
import type { Send } from "./workspace.js";

/** Operations whose objects tests create explicitly, because they need other objects or have many variants. */
const CREATED_EXPLICITLY = ["createComment", "createDatabase", "createPage"];

/** Objects and cursors of the resources that the document describes completely. */
interface FurtherResources {
  /** An id by kind of object. */
  readonly ids: Readonly<Record<string, string>>;
  /** The cursor of the second page by list operation. */
  readonly cursors: Readonly<Record<string, string>>;
  /** An id by the id in the example of the response that creates the object. */
  readonly examples: ReadonlyMap<string, string>;
}

/**
 * Creates two objects of every resource that is not in CREATED_EXPLICITLY, from the first example of its create operation,
 * so that a new resource takes part in the tests of tenants, of export and import, and of samples.
 */
export async function createFurtherResources(send: Send): Promise<FurtherResources> {
  const operations = ApiDocument.committed().operations();
  const ids: Record<string, string> = {};
  const cursors: Record<string, string> = {};
  const examples = new Map<string, string>();
  for (const { id: operation, method, path, body, responses } of operations) {
    const isCreate = method === "POST" && operation.startsWith("create") && !path.includes("{");
    if (!isCreate || CREATED_EXPLICITLY.includes(operation)) continue;
    const example = body?.[0]?.examples[0]?.value;
    for (let count = 0; count < 2; count += 1) {
      const { status, text } = await send("POST", path, example);
      if (status !== 200) {
        throw new Error(
          `${operation} refuses the first example of its body: ${text}. Let the example stand on its own, or create the object in test/contract/tenants/workspace.ts.`,
        );
      }
      // The casts: every object has its kind and its id.
      const created = JSON.parse(text) as { readonly object: string; readonly id: string };
      ids[created.object] = created.id;
      const shown = responses[0]?.content[0]?.examples[0]?.value as { readonly id?: string } | undefined;
      if (shown?.id !== undefined) examples.set(shown.id, created.id);
    }
    const list = operations.find((other) => other.method === "GET" && other.path === path);
    if (list === undefined) continue;
    const { text } = await send("GET", `${path}?page_size=1`);
    cursors[list.id] = String((JSON.parse(text) as { readonly next_cursor: string | null }).next_cursor);
  }
  return { ids, cursors, examples };
}
