/** A server on plain node:http that repeats the recorded response of a file, and sends its port to the parent process. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { RecordedResponse } from "../record.js";

const file = process.argv[2];
if (file === undefined) throw new Error("Pass the file with the recorded response.");
// The cast: record.ts wrote the file.
const { headers, body } = JSON.parse(readFileSync(file, "utf8")) as RecordedResponse;

const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.(address.port);
});
process.once("SIGTERM", () => process.exit(0));
