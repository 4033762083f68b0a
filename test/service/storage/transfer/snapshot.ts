/** All responses that a key can read, by request. */
export type Snapshot = Readonly<Record<string, unknown>>;

interface List {
  results: { id: string; object: string; has_children?: boolean }[];
  next_cursor: string | null;
}

/** Reads everything that a key can read: lists, queries, searches, objects, children at all depths, and comments. */
export async function readEverything(baseUrl: string, key: string): Promise<Snapshot> {
  const found: Record<string, unknown> = {};
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const name = `${method} ${path} ${body === undefined ? "" : JSON.stringify(body)}`;
    const response = await fetch(baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // The cast: every response is an object.
    const { request_id: _, ...rest } = (await response.json()) as Record<string, unknown>;
    if (response.status !== 200) throw new Error(`${name}: ${JSON.stringify(rest)}`);
    return (found[name] = rest);
  };
  /** Reads a list in small pages. */
  const list = async (method: "GET" | "POST", path: string, body: object = {}): Promise<List["results"]> => {
    const results: List["results"] = [];
    let cursor: string | null = null;
    do {
      const page = { page_size: 7, ...(cursor === null ? {} : { start_cursor: cursor }) };
      const query = new URLSearchParams({ ...page, page_size: "7" });
      const separator = path.includes("?") ? "&" : "?";
      // The cast: every list has this shape.
      const part = (await (method === "GET"
        ? send("GET", `${path}${separator}${query.toString()}`)
        : send("POST", path, { ...body, ...page }))) as List;
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

  await send("GET", "/v1/users/me");
  await list("GET", "/v1/users");
  await list("POST", "/v1/search", { query: "t" });
  for (const { object, id } of await list("POST", "/v1/search")) {
    if (object === "database") {
      await send("GET", `/v1/databases/${id}`);
      await list("POST", `/v1/databases/${id}/query`);
      const sorts = [{ timestamp: "last_edited_time", direction: "descending" }];
      await list("POST", `/v1/databases/${id}/query`, { sorts });
    } else {
      await send("GET", `/v1/pages/${id}`);
      await list("GET", `/v1/comments?block_id=${id}`);
      await readChildren(id);
    }
  }
  return found;
}
