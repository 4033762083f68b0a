/**
 * Measures how much the client adds to a page: `npm run bench:client`. It ends with code 1 when that is more than what is
 * promised.
 */
import { measureSizes, MOST } from "./client-size.js";
import { type Row, table } from "./table.js";

const { openapiFetch, ...ours } = await measureSizes();
const most = MOST.times * openapiFetch + MOST.bytes;

function row(what: string, bytes: number, target: number): Row {
  return {
    what,
    figure: `${bytes} bytes`,
    beside: `${openapiFetch} bytes`,
    ratio: (bytes / openapiFetch).toFixed(2),
    target: `<= ${Math.floor(target)} bytes`,
    met: bytes <= target,
  };
}

const rows = [
  row("the whole client, min+gzip", ours.client, most),
  row("one function", ours.oneFunction, ours.client),
  row("a query in pages, with a filter", ours.query, ours.client),
];
console.log(`${table(rows)}\n`);
console.log(
  `Beside it: openapi-fetch as a whole. The target is ${MOST.times} times that and ${MOST.bytes} bytes.`,
);
if (rows.some(({ met }) => !met)) process.exitCode = 1;
