import { expect, test } from "vitest";
import { parseUrl } from "../../../src/domain/url.js";

const BASE = "https://relative.invalid";

test("parses URLs like a browser", () => {
  expect(parseUrl("HTTP:\\\\Exämple.org/a b")?.href).toBe("http://xn--exmple-cua.org/a%20b");
  expect(parseUrl("//example.org/x", BASE)?.href).toBe("https://example.org/x");
  expect(parseUrl("/x", BASE)?.pathname).toBe("/x");
  for (const url of ["/x", "x", "", "http://", "http://a b"]) expect(parseUrl(url)).toBeUndefined();
});

test("parses a host with other letters than ASCII as often as it is called", () => {
  for (let count = 0; count < 100_000; count += 1) {
    if (parseUrl("https://exämple.org") === undefined) expect.fail(`refused at call ${count}`);
  }
});

test("parses URLs whose other parts are long", () => {
  const long = "x".repeat(1000);
  for (const url of [
    `https://example.org/${long}`,
    `https://${long}:secret@example.org/?${long}#${long}`,
    `mailto:${"somebody@example.org,".repeat(50)}somebody@example.org`,
    `data:image/png;base64,${long}`,
  ]) {
    expect(parseUrl(url)?.href).toBe(url);
  }
  for (const url of [long, `/${long}`]) expect(parseUrl(url, BASE)?.pathname).toBe(`/${long}`);
});

test("refuses a host that is too long for DNS, which takes a browser quadratic time", () => {
  const host = "漢".repeat(253);
  expect(parseUrl(`https://${host}`)).toBeDefined();
  for (const start of [
    "https://",
    "https:",
    "https:\\/\t/",
    " ht\ntps:/",
    "ftp://",
    "https://a@b@",
    "//",
    "\t/\n\\",
  ]) {
    expect(parseUrl(`${start}${host}字/x`, BASE)).toBeUndefined();
  }
});
