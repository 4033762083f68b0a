/** Copies the files that the compiler does not emit into `dist`, and makes the command executable. */
import { chmodSync, copyFileSync, cpSync, existsSync, readFileSync } from "node:fs";

// Copied only when it has changed, because a service that starts during the build must not read half a file.
const validators = new URL("../generated/validators.js", import.meta.url);
const built = new URL("../dist/generated/validators.js", import.meta.url);
if (!existsSync(built) || !readFileSync(built).equals(readFileSync(validators)))
  copyFileSync(validators, built);

for (const asset of ["web/assets", "access/accounts/common-passwords.txt"]) {
  cpSync(new URL(asset, import.meta.url), new URL(`../dist/src/${asset}`, import.meta.url), {
    recursive: true,
  });
}

// npm makes the command of an installed package executable. In a checkout, npx runs this file.
chmodSync(new URL("../dist/src/cli.js", import.meta.url), 0o755);
