import { Agent, request } from "node:http";
import { ApiDocument } from "../support/api-document.js";
import { createResponseChecker, type ResponseChecker } from "../support/check-response.js";
import { Random } from "../support/random.js";
import { Memory } from "./memory.js";
import { type FuzzRequest, Requests } from "./requests.js";

/** Access to the workspace of a lane, which is a sequence of requests. */
export interface LaneAccess {
  readonly key: string;
  readonly rootDatabaseId: string;
}

/** A request with a response that the document does not allow, or without a response. */
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

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Time after which a request without a response fails. */
const TIMEOUT_MS = 60_000;
/** Number of faults after which a lane ends. */
const MAX_FAULTS = 20;

/**
 * Sends requests to a service and checks each response against the document: a status of 500 and above, an undeclared
 * status and content that the document does not allow are faults.
 *
 * Each lane has its own sequence of requests and its own workspace, so that the same seed gives the same requests however
 * the lanes overlap. Only the ids differ, because the service generates them.
 *
 * @param count number of requests in all lanes together
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
      for (let index = 0; index < each && faults < MAX_FAULTS; index += 1) {
        const sent = requests.next();
        outcome.requests += 1;
        try {
          const response = await send(baseUrl, access.key, sent, agent);
          outcome.statuses[response.status] = (outcome.statuses[response.status] ?? 0) + 1;
          const pair = checkResponse(checker, sent, response);
          if (pair !== undefined) outcome.pairs.add(pair);
          if (response.status === 200 && sent.method !== "HEAD")
            memory.learn(JSON.parse(new TextDecoder().decode(response.body)));
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

/** Returns the operation × status pair of a response. Throws if the document does not allow the response. */
function checkResponse(
  checker: ResponseChecker,
  { method, path }: FuzzRequest,
  response: ReceivedResponse,
): string | undefined {
  if (response.status >= 500) {
    throw new Error(`status ${response.status}: ${new TextDecoder().decode(response.body).slice(0, 500)}`);
  }
  return checker.check({ method, url: path, ...response });
}

function send(baseUrl: string, key: string, sent: FuzzRequest, agent: Agent): Promise<ReceivedResponse> {
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
        timeout: TIMEOUT_MS,
        headers: {
          // Sends non-ASCII characters as the bytes of their UTF-8 encoding.
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
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no response within ${TIMEOUT_MS / 1000} s`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Formats the outcome. Each fault contains the values that reproduce it. */
export function formatOutcome(outcome: Outcome, seed: number): string {
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
    `${outcome.faults.length} responses with a status of 500 and above, undocumented or invalid`,
    ...faults,
  ].join("\n");
}
