import type { Bump } from "../diff/change.js";

/** A version's three numbers. */
export type Version = readonly [major: number, minor: number, patch: number];

/** Parses `1.2.3`; undefined for anything else. Pre-releases are not supported. */
export function readVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/** Returns the kind of a version change; `none` if the version is not newer. */
export function getBump(from: Version, to: Version): Bump {
  if (to[0] !== from[0]) return to[0] > from[0] ? "major" : "none";
  if (to[1] !== from[1]) return to[1] > from[1] ? "minor" : "none";
  return to[2] > from[2] ? "patch" : "none";
}

/** Returns the smallest bump that a change requires. While the major version is 0, each change counts one level less. */
export function getRequiredBump(from: Version, change: Bump): Bump {
  if (from[0] > 0 || change === "none") return change;
  return change === "major" ? "minor" : "patch";
}
