import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the command and the docs once for all tests. */
export default function build(): void {
  for (const script of [["build"], ["docs", "--", "--if-changed"]]) {
    execFileSync("npm", ["run", "--silent", ...script], { cwd: ROOT, stdio: "inherit" });
  }
}
