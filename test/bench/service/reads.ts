import path from "node:path";
import { startServer } from "../child.js";
import { compare } from "../compare.js";
import { recordAnswer } from "../record.js";
import type { Row } from "../table.js";
import { FEW_BLOCKS, type Filled } from "./fill.js";
import { ratioRow } from "./rows.js";
import { startService } from "./start.js";

/** Answers of the service, beside a server that repeats the same bytes. */
export async function measureReads(filled: Filled, scratch: string): Promise<Row[]> {
  const service = await startService(filled.folder);
  const headers = { authorization: `Bearer ${filled.key}` };
  const rows: Row[] = [];
  const beside = async (
    what: string,
    paths: readonly string[],
    target: number | undefined,
  ): Promise<void> => {
    console.log(what);
    const file = path.join(scratch, "answer.json");
    await recordAnswer(`${service.url}${paths[0]}`, headers, file);
    const bare = await startServer("bare", [file]);
    const requests = paths.map((each) => ({ path: each, headers }));
    const found = await compare(
      { name: "service", request: { url: service.url, requests } },
      { name: "bare", request: { url: bare.url, requests } },
    );
    await bare.stop();
    rows.push(ratioRow(what, found, "bare node:http", target));
  };
  const [page = ""] = filled.pageIds;
  await beside("GET a page", [`/v1/pages/${page}`], 0.5);
  await beside(
    `GET ${filled.pageIds.length.toLocaleString("en")} pages in turn`,
    filled.pageIds.map((id) => `/v1/pages/${id}`),
    undefined,
  );
  await beside(
    `GET the ${FEW_BLOCKS} blocks of a page`,
    [`/v1/blocks/${filled.shortPageId}/children?page_size=100`],
    0.5,
  );
  await service.stop();
  return rows;
}
