/** Responses with everything that a key can read, by request. */
export type Snapshot = Readonly<Record<string, unknown>>;

interface List {
  results: { id: string; object: string; has_children?: boolean }[];
  next_cursor: string | null;
}

/** Reads all that a key can read: lists in their order, queries, searches, objects, children at all depths, comments. */
export async function readEverything(baseUrl: string, key: string): Promise<Snapshot> {
  const found: Record<string, unknown> = {};
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const name = `${method} ${path} ${body === undefined ? "" : JSON.stringify(body)}`;
    const response = await fetch(baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // The cast: every answer is an object.
    const { request_id: _, ...answer } = (await response.json()) as Record<string, unknown>;
    if (response.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return (found[name] = answer);
  };
  /** All of a list, read in small parts. */
  const list = async (method: "GET" | "POST", path: string, body: object = {}): Promise<List["results"]> => {
    const results: List["results"] = [];
    let cursor: string | null = null;
    do {
      const page = { page_size: 7, ...(cursor === null ? {} : { start_cursor: cursor }) };
      const query = new URLSearchParams({ ...page, page_size: "7" });
      const separator = path.includes("?") ? "&" : "?";
      // The cast: every list is of this form.
      const part = (await (method === "GET"
        ? ask("GET", `${path}${separator}${query.toString()}`)
        : ask("POST", path, { ...body, ...page }))) as List;
      results.push(...part.results);
      cursor = part.next_cursor;
    } while (cursor !== null);
    return results;
  };
  const readChildren = async (id: string): Promise<void> => {
    for (const block of await list("GET", `/v1/blocks/${id}/children`)) {
      await list("GET", `/v1/comments?block_id=${block.id}`);
      if (block.has_children === true) await readChildren(block.id);
    }
  };

  await ask("GET", "/v1/users/me");
  await list("GET", "/v1/users");
  await list("POST", "/v1/search", { query: "t" });
  for (const { object, id } of await list("POST", "/v1/search")) {
    if (object === "database") {
      await ask("GET", `/v1/databases/${id}`);
      await list("POST", `/v1/databases/${id}/query`);
      const sorts = [{ timestamp: "last_edited_time", direction: "descending" }];
      await list("POST", `/v1/databases/${id}/query`, { sorts });
    } else {
      await ask("GET", `/v1/pages/${id}`);
      await list("GET", `/v1/comments?block_id=${id}`);
      await readChildren(id);
    }
  }
  return found;
}
