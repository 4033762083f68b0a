import { Agent, request } from "node:http";
import { ApiDocument } from "../support/api-document.js";
import { createResponseChecker, type ResponseChecker } from "../support/check-response.js";
import { Random } from "../support/random.js";
import { Memory } from "./memory.js";
import { type FuzzRequest, Requests } from "./requests.js";

/** A workspace that a lane of requests works in. */
export interface LaneAccess {
  readonly key: string;
  readonly rootDatabaseId: string;
}

/** A request that was answered as it must not be. */
export interface Fault {
  readonly lane: number;
  /** Index of the request in its lane, from 0. */
  readonly index: number;
  readonly request: FuzzRequest;
  readonly message: string;
}

export interface Outcome {
  readonly requests: number;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Operation × status pairs of the document that were seen. */
  readonly pairs: ReadonlySet<string>;
  readonly faults: readonly Fault[];
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Milliseconds after which a request counts as never answered. */
const PATIENCE = 60_000;
/** Faults of a lane after which it ends. */
const ENOUGH = 20;

/**
 * Sends requests to a service and holds each answer against the document: no status of 500 and above, none that the
 * operation does not declare, nothing in it that the document does not allow.
 *
 * Each lane is a sequence of its own, in a workspace of its own, so that the same seed gives the same requests however
 * the lanes overlap; but for the ids in them, which the service makes.
 *
 * @param count how many requests, in all lanes together
 */
export async function fuzz(
  baseUrl: string,
  lanes: readonly LaneAccess[],
  seed: number,
  count: number,
  progress: (requests: number) => void = () => undefined,
): Promise<Outcome> {
  const document = ApiDocument.committed();
  const checker = createResponseChecker(document);
  const outcome = {
    requests: 0,
    statuses: {} as Record<string, number>,
    pairs: new Set<string>(),
    faults: [] as Fault[],
  };
  const each = Math.ceil(count / lanes.length);
  await Promise.all(
    lanes.map(async (access, lane) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const memory = new Memory({ database: access.rootDatabaseId });
      const requests = new Requests(document, new Random(`${seed}/${lane}`), memory);
      let faults = 0;
      for (let index = 0; index < each && faults < ENOUGH; index += 1) {
        const sent = requests.next();
        outcome.requests += 1;
        try {
          const answer = await send(baseUrl, access.key, sent, agent);
          outcome.statuses[answer.status] = (outcome.statuses[answer.status] ?? 0) + 1;
          const pair = judge(checker, sent, answer);
          if (pair !== undefined) outcome.pairs.add(pair);
          if (answer.status === 200 && sent.method !== "HEAD")
            memory.learn(JSON.parse(new TextDecoder().decode(answer.body)));
        } catch (error) {
          faults += 1;
          outcome.faults.push({ lane, index, request: sent, message: String(error) });
        }
        if (outcome.requests % 5_000 === 0) progress(outcome.requests);
      }
      agent.destroy();
    }),
  );
  return outcome;
}

/** Throws when the answer is not one that the document has; gives the pair of the document that it is one of. */
function judge(checker: ResponseChecker, { method, path }: FuzzRequest, answer: Answer): string | undefined {
  if (answer.status >= 500) {
    throw new Error(`status ${answer.status}: ${new TextDecoder().decode(answer.body).slice(0, 500)}`);
  }
  return checker.check({ method, url: path, ...answer });
}

function send(baseUrl: string, key: string, sent: FuzzRequest, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const body = sent.body === undefined ? undefined : Buffer.from(sent.body);
    const headers = Object.entries({ Authorization: `Bearer ${key}`, ...sent.headers });
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method: sent.method,
        path: sent.path,
        timeout: PATIENCE,
        headers: {
          // Header values are bytes: what is beyond ASCII goes as UTF-8.
          ...Object.fromEntries(
            headers.map(([name, value]) => [name, Buffer.from(value).toString("latin1")]),
          ),
          ...(body === undefined ? {} : { "Content-Length": body.length }),
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const received = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
            name,
            String(value),
          ]);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: new Headers(received),
            body: Buffer.concat(chunks),
          });
        });
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${PATIENCE / 1000} s`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Formats the outcome. Each fault comes with the values that reproduce it. */
export function report(outcome: Outcome, seed: number): string {
  const statuses = Object.entries(outcome.statuses).map(([status, number]) => `${number} × ${status}`);
  const faults = outcome.faults.map(({ lane, index, request: sent, message }) => {
    const body =
      typeof sent.body === "string"
        ? sent.body
        : sent.body && `bytes ${Buffer.from(sent.body).toString("hex")}`;
    const headers = JSON.stringify(sent.headers);
    return `lane ${lane}, request ${index}: ${sent.method} ${sent.path} ${headers}\n  ${(body ?? "").slice(0, 2_000)}\n  ${message}`;
  });
  return [
    `Fuzz: ${outcome.requests} requests (${statuses.join(", ")}), ${outcome.pairs.size} operation × status pairs, SEED=${seed}`,
    `${outcome.faults.length} answers of status 500 and above, undocumented or not as the document says`,
    ...faults,
  ].join("\n");
}
