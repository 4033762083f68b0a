/** The least that node:http can do: the answer in the file that is named, always the same bytes and headers. */
import { readFileSync } from "node:fs";
import { listen } from "./listen.js";
import type { RecordedAnswer } from "../record.js";

const file = process.argv[2];
if (file === undefined) throw new Error("Name the file with the recorded answer.");
// The cast: record.ts wrote the file.
const { headers, body } = JSON.parse(readFileSync(file, "utf8")) as RecordedAnswer;

listen((_request, response) => {
  response.writeHead(200, headers).end(body);
});
