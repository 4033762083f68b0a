import { expect, test } from "vitest";
import { resolveUri } from "../../../scripts/json-schema/uri.js";

test.each([
  ["../common/b.json", "common/b.json"],
  ["../../b.json", "b.json"],
  ["./b.json", "schemas/b.json"],
  ["../", ""],
])("%j at the relative base schemas/a.json is %s", (reference, uri) => {
  expect(resolveUri("schemas/a.json", reference).uri).toBe(uri);
});

// The examples of RFC 3986, section 5.4.
test.each([
  ["g:h", "g:h"],
  ["g", "http://a/b/c/g"],
  ["./g/", "http://a/b/c/g/"],
  ["/g", "http://a/g"],
  ["//g", "http://g/"],
  ["?y", "http://a/b/c/d;p?y"],
  ["g?y", "http://a/b/c/g?y"],
  ["", "http://a/b/c/d;p?q"],
  [".", "http://a/b/c/"],
  ["..", "http://a/b/"],
  ["../g", "http://a/b/g"],
  ["../..", "http://a/"],
  ["../../g", "http://a/g"],
  ["../../../../g", "http://a/g"],
  ["/./g", "http://a/g"],
  ["/../g", "http://a/g"],
  ["..g", "http://a/b/c/..g"],
  ["./g/.", "http://a/b/c/g/"],
  ["g;x=1/../y", "http://a/b/c/y"],
])("%j at http://a/b/c/d;p?q is %s", (reference, uri) => {
  expect(resolveUri("http://a/b/c/d;p?q", reference)).toEqual({ uri, fragment: "" });
  expect(resolveUri("http://a/b/c/d;p?q", `${reference}#s/t`)).toEqual({ uri, fragment: "s/t" });
});

test("a fragment alone keeps the base as it is written, and a path at a base without slashes is returned", () => {
  expect(resolveUri("http://a:80#s", "#t")).toEqual({ uri: "http://a:80", fragment: "t" });
  expect(resolveUri("urn:a", "b#c")).toEqual({ uri: "b", fragment: "c" });
});
