/**
 * Measures the bytes that the client adds to a page: `npm run bench:client`. The exit code is 1 when they exceed the
 * target.
 */
import { measureSizes, SIZE_LIMIT } from "./client-size.js";
import { type Row, formatTable } from "./table.js";

const { openapiFetch, ...ours } = await measureSizes();
const limit = SIZE_LIMIT.times * openapiFetch + SIZE_LIMIT.bytes;

function createRow(what: string, bytes: number, target: number): Row {
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
  createRow("the whole client, min+gzip", ours.client, limit),
  createRow("one function", ours.oneFunction, ours.client),
  createRow("a query in pages, with a filter", ours.query, ours.client),
];
console.log(`${formatTable(rows)}\n`);
console.log(
  `Compared with the whole of openapi-fetch. The target is ${SIZE_LIMIT.times} times that and ${SIZE_LIMIT.bytes} bytes.`,
);
if (rows.some(({ met }) => !met)) process.exitCode = 1;
