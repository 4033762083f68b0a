import type { Impact } from "../diff/change.js";

/** A version's three numbers. */
export type Version = readonly [major: number, minor: number, patch: number];

/** Parses `1.2.3`; undefined for anything else. Pre-releases are not supported. */
export function readVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/** Compares two versions for sorting, oldest first. */
export function compareVersions(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

/** Returns the kind of a version change; `none` if the version is not newer. */
export function getBump(from: Version, to: Version): Impact {
  if (compareVersions(to, from) <= 0) return "none";
  return to[0] > from[0] ? "major" : to[1] > from[1] ? "minor" : "patch";
}

/** Returns the smallest bump that a change requires. While the major version is 0, each change counts one level less. */
export function getRequiredBump(from: Version, change: Impact): Impact {
  if (from[0] > 0 || change === "none") return change;
  return change === "major" ? "minor" : "patch";
}
