import { expect, test } from "vitest";
import { findNewestEntry, setReleaseDate } from "../../../scripts/project/release/changelog.js";
import {
  getRequiredBump,
  getBump,
  readVersion,
  type Version,
} from "../../../scripts/project/release/version.js";

test.each(["1.2", "1.2.3.4", "v1.2.3", "1.2.3-beta.1", "01.2.3", "1.2.x", " 1.2.3", "1.2.3\n", ""])(
  "%j is not a version",
  (text) => {
    expect(readVersion(text)).toBeUndefined();
  },
);

test("versions are compared as numbers", () => {
  expect(readVersion("0.10.2")).toEqual([0, 10, 2]);
  expect(getBump([0, 9, 9], [0, 10, 0])).toBe("minor");
  expect(getBump([0, 10, 0], [0, 9, 99])).toBe("none");
  expect(getBump([0, 99, 99], [1, 0, 0])).toBe("major");
  expect(getBump([1, 0, 0], [0, 99, 99])).toBe("none");
  expect(getBump([1, 2, 3], [1, 2, 3])).toBe("none");
  expect(getBump([1, 2, 4], [1, 2, 3])).toBe("none");
});

test.each<[Version, Version, string]>([
  [[1, 2, 3], [2, 0, 0], "major"],
  [[1, 2, 3], [1, 3, 0], "minor"],
  [[1, 2, 3], [1, 2, 4], "patch"],
  [[1, 2, 3], [1, 2, 3], "none"],
  [[1, 2, 3], [1, 1, 9], "none"],
  [[1, 2, 3], [0, 3, 4], "none"],
])("from %j to %j is %s", (from, to, bump) => {
  expect(getBump(from, to)).toBe(bump);
});

test("before 1.0.0 each change requires the next lower number", () => {
  expect(
    (["none", "patch", "minor", "major"] as const).map((change) => getRequiredBump([0, 9, 0], change)),
  ).toEqual(["none", "patch", "patch", "minor"]);
  expect(
    (["none", "patch", "minor", "major"] as const).map((change) => getRequiredBump([1, 0, 0], change)),
  ).toEqual(["none", "patch", "minor", "major"]);
});

test("the newest entry of a changelog is the first valid heading", () => {
  const text =
    "# Log\n\n## Promises\n\n- one\n\n## [1.1.0] - unreleased\n\n### Added\n\n- A word.\n\n## [1.0.0] - 2026-01-02\n\n- All.\n";
  expect(findNewestEntry(text)).toEqual({ version: "1.1.0", line: 7, date: "unreleased", isEmpty: false });
  expect(setReleaseDate(text, "2026-03-04")).toBe(text.replace("unreleased", "2026-03-04"));
  expect(findNewestEntry(text.replace("- A word.", ""))).toMatchObject({ version: "1.1.0", isEmpty: true });
  expect(findNewestEntry("# Log\n\n## Promises\n\n- one\n")).toBeUndefined();
});
