import { expect, test } from "vitest";
import { cookieWriter } from "../../../src/fetch/cookies.js";
import { headerWriter, writeHeaders } from "../../../src/fetch/headers.js";
import {
  asBoolean,
  asCookies,
  asJson,
  asList,
  asObject,
  asScalar,
  readHeaders,
} from "../../../src/fetch/response-headers.js";

test("header parameters are not percent-encoded, and JSON is ASCII", () => {
  const styles = {
    text: headerWriter("simple"),
    list: headerWriter("simple"),
    point: headerWriter("simple*"),
    data: headerWriter("json"),
  };
  const headers = {
    plain: "a b",
    text: "a,b",
    list: ["a", "b c"],
    point: { x: 1, y: 2 },
    data: { a: "ü" },
    none: undefined,
    constructor: 1,
  };
  expect(writeHeaders(headers, styles)).toEqual({
    plain: "a b",
    text: "a,b",
    list: "a,b c",
    point: "x=1,y=2",
    data: '{"a":"\\u00fc"}',
    constructor: "1",
  });
});

test("cookies are one header", () => {
  const write = cookieWriter({ list: "form*", data: "json", raw: "cookie" });
  expect(write({ a: "b;c", list: [1, 2], data: { x: 1 }, raw: "x/y", none: null })).toEqual({
    Cookie: "a=b%3Bc; list=1; list=2; data=%7B%22x%22%3A1%7D; raw=x/y",
  });
  expect(write({})).toEqual({});
  expect(write({ empty: "", constructor: 1 })).toEqual({ Cookie: "empty=; constructor=1" });
  expect(write({ "a b;c=ü": 1 })).toEqual({ Cookie: "a%20b%3Bc%3D%C3%BC=1" });
  const styles = { one: "form*", point: "form*", pair: "form", crumbs: "cookie*" };
  expect(
    cookieWriter(styles)({ one: 1, point: { x: 1, y: 2 }, pair: { z: 3 }, crumbs: { a: "b/c" } }),
  ).toEqual({ Cookie: "one=1; x=1; y=2; pair=z,3; a=b/c" });
  for (const raw of ["a;b", "a,b", "a b"])
    expect(() => write({ raw })).toThrow("The parameter raw cannot be written");
});

test("declared response headers are parsed by their types, and missing ones are omitted", () => {
  const headers = new Headers({
    n: "1",
    b: "true",
    no: "false",
    m: "2.0",
    off: "false",
    limit: "60",
    digits: "60",
    unlimited: "true",
    untrue: "untrue",
    trueish: "trueish",
    version: "1.10",
    list: "1, 2",
    empty: "",
    point: "x, 1, y, 2",
    odd: "x,1,y",
    tags: "a=1,b=c=d,flag,on=true,constructor=e",
    data: "[1]",
  });
  headers.append("Set-Cookie", "a=1, x");
  headers.append("Set-Cookie", "b=2");
  // A response that a program creates cannot have Set-Cookie.
  const response = Object.defineProperty(new Response(), "headers", { value: headers });
  const readers = {
    n: Number,
    b: asBoolean,
    no: asBoolean,
    m: asScalar("boolean", "number"),
    off: asScalar("boolean", "number"),
    limit: asScalar("number", "string"),
    digits: asScalar("boolean", "string"),
    unlimited: asScalar("number", "string"),
    untrue: asScalar("boolean", "string"),
    trueish: asScalar("boolean", "string"),
    version: asScalar("boolean", "number", "string"),
    list: asList(Number),
    empty: asList(Number),
    point: asObject(false, { x: Number }),
    odd: asObject(false, { x: Number }),
    tags: asObject(true, { a: Number, b: String }, asScalar("boolean", "string")),
    data: asJson,
    "Set-Cookie": asCookies,
    missing: String,
  };
  expect(readHeaders(response, readers, () => new Error("unexpected"))).toEqual({
    n: 1,
    b: true,
    no: false,
    m: 2,
    off: false,
    limit: 60,
    digits: "60",
    unlimited: "true",
    untrue: "untrue",
    trueish: "trueish",
    version: "1.10",
    list: [1, 2],
    empty: [],
    point: { x: 1, y: "2" },
    odd: { x: 1, y: "" },
    tags: { a: 1, b: "c=d", flag: "", on: true, constructor: "e" },
    data: [1],
    "Set-Cookie": ["a=1, x", "b=2"],
  });
});
