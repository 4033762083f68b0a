import { setTimeout as sleep } from "node:timers/promises";
import { uncheckedFetch } from "../support/checked-responses.js";

/** Address of a service, with the key of its requests. */
export interface Target {
  readonly url: string;
  readonly key: string;
  readonly databaseId: string;
}

/** An answer, or `undefined` where the connection broke before there was one. */
export interface Answer {
  readonly status: number;
  readonly body: { readonly id?: string; readonly code?: string } & Record<string, unknown>;
  readonly milliseconds: number;
}

/** Sends a request as a client does that does not try again. Other tests look at the form of answers. */
export async function ask(
  { url, key }: Pick<Target, "url" | "key">,
  method: string,
  path: string,
  body?: object,
): Promise<Answer | undefined> {
  const started = performance.now();
  try {
    const response = await uncheckedFetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const json = (await response.json()) as Answer["body"];
    return { status: response.status, body: json, milliseconds: performance.now() - started };
  } catch {
    return undefined;
  }
}

/** The block that carries a mark, for a request. */
export function markedBlock(mark: string): object {
  return { paragraph: { rich_text: [{ text: { content: mark } }] } };
}

/** The marks of the blocks of a page, in order. */
export async function readMarks(target: Target, pageId: string): Promise<string[]> {
  const marks: string[] = [];
  let cursor = "";
  for (;;) {
    const answer = await ask(target, "GET", `/v1/blocks/${pageId}/children?page_size=100${cursor}`);
    if (answer?.status !== 200) throw new Error(`the blocks of ${pageId} cannot be read: ${answer?.status}`);
    // The cast: what the document says of this answer.
    const { results, next_cursor: next } = answer.body as unknown as {
      results: { paragraph: { rich_text: { plain_text: string }[] } }[];
      next_cursor: string | null;
    };
    marks.push(...results.map(({ paragraph }) => paragraph.rich_text.map((run) => run.plain_text).join("")));
    if (next === null) return marks;
    cursor = `&start_cursor=${next}`;
  }
}

/**
 * State of a page as far as its client knows it. A write without a response of 200 can still have been committed, for
 * example when the connection to the database breaks during the commit.
 */
interface Known {
  readonly id: string;
  readonly title: string;
  /** The values that there may be: the last one that was acknowledged, and those that were tried since. */
  points: (number | null)[];
  /** In the order in which they were sent. */
  readonly marks: { readonly mark: string; readonly acknowledged: boolean }[];
}

/**
 * A client that makes pages, and updates and appends to each, until the service does not answer; and that can tell
 * afterwards whether all that was answered is there, and nothing in parts.
 */
export class WritingClient {
  readonly #pages: Known[] = [];
  /** Writes that were answered with 200. */
  acknowledged = 0;
  /** Other answers than 200: `status code`. */
  readonly refused: string[] = [];
  /** Milliseconds that the slowest of them took. */
  slowestRefusal = 0;

  constructor(readonly name: string) {}

  /** Writes until a request gets no answer, or until `until` says so. */
  async run(target: Target, until: () => boolean = () => false): Promise<void> {
    while (!until()) {
      if (!(await this.#writePage(target))) return;
    }
  }

  async #write(target: Target, method: string, path: string, body: object): Promise<Answer | undefined> {
    const answer = await ask(target, method, path, body);
    if (answer === undefined) return undefined;
    if (answer.status === 200) this.acknowledged += 1;
    else {
      this.refused.push(`${answer.status} ${answer.body.code}`);
      this.slowestRefusal = Math.max(this.slowestRefusal, answer.milliseconds);
      // A client that is told that the service is unavailable does not come again at once.
      await sleep(20);
    }
    return answer;
  }

  /** Makes a page, updates it three times and appends three blocks; false when a request got no answer. */
  async #writePage(target: Target): Promise<boolean> {
    const title = `${this.name} ${this.acknowledged} ${"text ".repeat(20)}`;
    const made = await this.#write(target, "POST", "/v1/pages", {
      parent: { database_id: target.databaseId },
      properties: { Title: { title: [{ text: { content: title } }] } },
    });
    if (made?.status !== 200) return made !== undefined;
    const page: Known = {
      id: String(made.body.id),
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
      const children = [markedBlock(mark)];
      const appended = await this.#write(target, "PATCH", `/v1/blocks/${page.id}/children`, { children });
      page.marks.push({ mark, acknowledged: appended?.status === 200 });
      if (appended === undefined) return false;
    }
    return true;
  }

  /**
   * Compares what the service has with what it answered.
   *
   * @param count how many pages, from the latest backwards
   * @returns what is wrong
   */
  async problems(target: Target, count = Infinity): Promise<string[]> {
    const problems: string[] = [];
    for (const page of this.#pages.slice(-count)) {
      const answer = await ask(target, "GET", `/v1/pages/${page.id}`);
      if (answer?.status !== 200) {
        problems.push(`page ${page.id} was acknowledged, and is answered with ${answer?.status}`);
        continue;
      }
      // The cast: what the document says of this answer, for the database that the clients write to.
      const { Title, Points } = answer.body["properties"] as {
        Title: { title: { plain_text: string }[] };
        Points: { number: number | null };
      };
      const title = Title.title.map((run) => run.plain_text).join("");
      if (title !== page.title) problems.push(`page ${page.id} has another title: ${title}`);
      if (!page.points.includes(Points.number)) {
        problems.push(`page ${page.id} should have the points ${page.points.join(" or ")}: ${Points.number}`);
      }
      const marks = await readMarks(target, page.id);
      const expected = page.marks.filter(({ mark, acknowledged }) => acknowledged || marks.includes(mark));
      if (marks.join("\n") !== expected.map(({ mark }) => mark).join("\n")) {
        problems.push(
          `page ${page.id} should have ${expected.length} blocks in their order: ${marks.length}`,
        );
      }
    }
    return problems;
  }
}
