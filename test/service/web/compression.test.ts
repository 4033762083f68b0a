import { get, type IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readCsrfToken, startWeb } from "./visitors.js";

const DECODERS: Record<string, (body: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Requests a page without decoding it as `fetch` does. */
async function request(url: string, headers: Record<string, string>): Promise<[IncomingMessage, Buffer]> {
  const response = await new Promise<IncomingMessage>((resolve) => get(url, { headers }, resolve));
  return [response, Buffer.concat(await response.toArray())];
}

test("pages are compressed with an accepted encoding, unless they can contain text of the request", async () => {
  const { url, member } = await startWeb();
  const visitor = await member("Ada");
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const load = (path: string, encodings: string) =>
    request(url + path, { accept: "text/html", cookie, "accept-encoding": encodings });

  const [plain, text] = await load("/settings/members", "identity");
  expect(plain.headers).toMatchObject({ vary: "Accept-Encoding", "content-length": String(text.length) });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  for (const [accepted, encoding] of [
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    [`gzip,${"x,".repeat(500)}br`, "gzip"],
  ] as const) {
    const [{ headers }, body] = await load("/settings/members", accepted);
    expect(headers).toMatchObject({
      "content-encoding": encoding,
      vary: "Accept-Encoding",
      "content-length": String(body.length),
      "cache-control": "no-store",
    });
    expect(body.length).toBeLessThan(text.length / 2);
    expect(withoutFormId(DECODERS[encoding]?.(body))).toBe(withoutFormId(text));
  }

  for (const path of ["/search?q=secret", "/settings/api?x=1", "/nothing"]) {
    const [{ headers }, body] = await load(path, "gzip, br");
    expect([path, headers["content-encoding"]]).toEqual([path, undefined]);
    expect(body.length).toBeGreaterThan(1024);
  }
  const form = { csrf: await readCsrfToken(visitor), role: "member" };
  const invited = await visitor.send("/settings/members/invite", form, { "accept-encoding": "gzip" });
  expect([invited.status, invited.headers.get("content-encoding")]).toEqual([200, null]);
});

/** Removes the id of the invitation that the form creates, which is another one on each page. */
function withoutFormId(page: Buffer | undefined): string | undefined {
  return page?.toString().replace(/name="id" value="[^"]*"/, "");
}
