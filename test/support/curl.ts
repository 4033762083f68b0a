import { spawnSync } from "node:child_process";
import { missingProgram } from "./requirements.js";

/** Reason why tests with curl are skipped; undefined if it is installed, and in CI, where they must run. */
export const NO_CURL = missingProgram(
  spawnSync("curl", ["--version"]).status === 0,
  "curl is not installed (apt-get install curl)",
);
