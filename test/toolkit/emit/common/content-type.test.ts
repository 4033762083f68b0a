import { expect, test } from "vitest";
import { printContentType } from "../../../../scripts/emit/common/content-type.js";
import { built } from "../../model/document.js";

test.each([
  ["application/json", '"application/json"'],
  ["*/*", "string"],
  ["image/*", "`image/${string}`"],
  ["application/*+json", "`application/${string}+json`"],
  ["a`/*+`b", "`a\\`/${string}+\\`b`"],
])("the type of the media type %s is %s", (name, type) => {
  const mediaTypes = built({ requestBody: { content: { [name]: {} } } }).body?.mediaTypes ?? [];
  expect(mediaTypes.map(printContentType)).toEqual([type]);
});
