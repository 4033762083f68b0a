/** A server on plain node:http that repeats the recorded response of a file. */
import { readFileSync } from "node:fs";
import { listen } from "./listen.js";
import type { RecordedResponse } from "../record.js";

const file = process.argv[2];
if (file === undefined) throw new Error("Pass the file with the recorded response.");
// The cast: record.ts wrote the file.
const { headers, body } = JSON.parse(readFileSync(file, "utf8")) as RecordedResponse;

listen((_request, response) => {
  response.writeHead(200, headers).end(body);
});
