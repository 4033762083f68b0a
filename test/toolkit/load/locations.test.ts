import { expect, test } from "vitest";
import { Locations } from "../../../scripts/load/locations.js";
import { SourceText } from "../../../scripts/load/text/source-text.js";

test("an object without a place in the text keeps its pointer, and has the position of the object that it was merged into", () => {
  const source = new SourceText("/spec.yaml", "a: 1\nb: {<<: {c: {d: 1}}}\n");
  const c = { d: 1 };
  const root = { a: 1, b: { c } };
  const locations = new Locations();
  locations.register(root, source, "");
  locations.register(c, source, "/b/c");
  expect(locations.locate(root, "/b/c/d")).toEqual({ file: "/spec.yaml", line: 2, col: 1, pointer: "/b/c" });
});
