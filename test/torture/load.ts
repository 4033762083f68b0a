import { setTimeout as sleep } from "node:timers/promises";
import { uncheckedFetch } from "../support/checked-responses.js";

/** A service, and the key and database of requests. */
export interface Target {
  readonly url: string;
  readonly key: string;
  readonly databaseId: string;
}

/** A response and the time until it was complete. */
export interface TimedResponse {
  readonly status: number;
  readonly body: { readonly id?: string; readonly code?: string } & Record<string, unknown>;
  readonly milliseconds: number;
}

/** Sends a request without retries; returns undefined without a response. Other tests check the format of responses. */
export async function sendRequest(
  { url, key }: Pick<Target, "url" | "key">,
  method: string,
  path: string,
  body?: object,
): Promise<TimedResponse | undefined> {
  const started = performance.now();
  try {
    const response = await uncheckedFetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const json = (await response.json()) as TimedResponse["body"];
    return { status: response.status, body: json, milliseconds: performance.now() - started };
  } catch {
    return undefined;
  }
}

/** Creates a block with a mark as its text. */
export function createMarkedBlock(mark: string): object {
  return { paragraph: { rich_text: [{ text: { content: mark } }] } };
}

/** Reads the marks of the blocks of a page, in order. */
export async function readMarks(target: Target, pageId: string): Promise<string[]> {
  const marks: string[] = [];
  let cursor = "";
  for (;;) {
    const response = await sendRequest(target, "GET", `/v1/blocks/${pageId}/children?page_size=100${cursor}`);
    if (response?.status !== 200)
      throw new Error(`The blocks of ${pageId} cannot be read: ${response?.status}`);
    // The cast: the document declares this response.
    const { results, next_cursor: next } = response.body as unknown as {
      results: { paragraph: { rich_text: { plain_text: string }[] } }[];
      next_cursor: string | null;
    };
    marks.push(...results.map(({ paragraph }) => paragraph.rich_text.map((run) => run.plain_text).join("")));
    if (next === null) return marks;
    cursor = `&start_cursor=${next}`;
  }
}

/**
 * Expected state of a page. A write without a response of 200 can still have been committed, for
 * example when the connection to the database breaks during the commit.
 */
interface ExpectedPage {
  readonly id: string;
  readonly title: string;
  /** Possible values: the last acknowledged one, and those of later writes without acknowledgement. */
  points: (number | null)[];
  /** In the order in which they were sent. */
  readonly marks: { readonly mark: string; readonly acknowledged: boolean }[];
}

/**
 * A client that creates pages, and updates and appends to each, until a request gets no response. Afterwards it checks that
 * all acknowledged writes exist and that none is incomplete.
 */
export class WritingClient {
  readonly #pages: ExpectedPage[] = [];
  /** Number of writes with status 200. */
  acknowledged = 0;
  /** Responses with another status than 200, as `status code`. */
  readonly refused: string[] = [];
  /** Milliseconds until the slowest of these responses. */
  slowestRefusal = 0;

  constructor(readonly name: string) {}

  /** Writes until a request gets no response, or until `until` returns true. */
  async run(target: Target, until: () => boolean = () => false): Promise<void> {
    while (!until()) {
      if (!(await this.#writePage(target))) return;
    }
  }

  async #write(
    target: Target,
    method: string,
    path: string,
    body: object,
  ): Promise<TimedResponse | undefined> {
    const response = await sendRequest(target, method, path, body);
    if (response === undefined) return undefined;
    if (response.status === 200) this.acknowledged += 1;
    else {
      this.refused.push(`${response.status} ${response.body.code}`);
      this.slowestRefusal = Math.max(this.slowestRefusal, response.milliseconds);
      // Waits like real clients, which do not retry immediately.
      await sleep(20);
    }
    return response;
  }

  /** Creates a page, updates it three times and appends three blocks. Returns false when a request got no response. */
  async #writePage(target: Target): Promise<boolean> {
    const title = `${this.name} ${this.acknowledged} ${"text ".repeat(20)}`;
    const created = await this.#write(target, "POST", "/v1/pages", {
      parent: { database_id: target.databaseId },
      properties: { Title: { title: [{ text: { content: title } }] } },
    });
    if (created?.status !== 200) return created !== undefined;
    const page: ExpectedPage = {
      id: String(created.body.id),
      title,
      points: [null],
      marks: [],
    };
    this.#pages.push(page);
    for (let step = 1; step <= 3; step += 1) {
      const body = { properties: { Points: { number: step } } };
      const updated = await this.#write(target, "PATCH", `/v1/pages/${page.id}`, body);
      page.points = updated?.status === 200 ? [step] : [...page.points, step];
      if (updated === undefined) return false;

      const mark = `${title} ${step}`;
      const children = [createMarkedBlock(mark)];
      const appended = await this.#write(target, "PATCH", `/v1/blocks/${page.id}/children`, { children });
      page.marks.push({ mark, acknowledged: appended?.status === 200 });
      if (appended === undefined) return false;
    }
    return true;
  }

  /**
   * Compares the stored pages with the acknowledged writes.
   *
   * @param count number of pages to check, latest first
   * @returns a description of each difference
   */
  async findProblems(target: Target, count = Infinity): Promise<string[]> {
    const problems: string[] = [];
    for (const page of this.#pages.slice(-count)) {
      const response = await sendRequest(target, "GET", `/v1/pages/${page.id}`);
      if (response?.status !== 200) {
        problems.push(`page ${page.id} was acknowledged, but GET returns ${response?.status}`);
        continue;
      }
      // The cast: the database of the clients has these properties.
      const { Title, Points } = response.body["properties"] as {
        Title: { title: { plain_text: string }[] };
        Points: { number: number | null };
      };
      const title = Title.title.map((run) => run.plain_text).join("");
      if (title !== page.title) problems.push(`page ${page.id} has another title: ${title}`);
      if (!page.points.includes(Points.number)) {
        problems.push(
          `page ${page.id} should have the points ${page.points.join(" or ")}, not ${Points.number}`,
        );
      }
      const marks = await readMarks(target, page.id);
      const expected = page.marks.filter(({ mark, acknowledged }) => acknowledged || marks.includes(mark));
      if (marks.join("\n") !== expected.map(({ mark }) => mark).join("\n")) {
        problems.push(`page ${page.id} should have ${expected.length} blocks in order, not ${marks.length}`);
      }
    }
    return problems;
  }
}
