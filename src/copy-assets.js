// The compiler leaves out what is JavaScript already. As it does, this leaves alone what is there unchanged: a service
// that starts while somebody builds must not find half a file.
import { chmodSync, copyFileSync, cpSync, existsSync, readFileSync } from "node:fs";

const validators = new URL("../generated/validators.js", import.meta.url);
const built = new URL("../dist/generated/validators.js", import.meta.url);
if (!existsSync(built) || !readFileSync(built).equals(readFileSync(validators)))
  copyFileSync(validators, built);

// Nor does it know what pages load.
cpSync(new URL("web/assets", import.meta.url), new URL("../dist/src/web/assets", import.meta.url), {
  recursive: true,
});

// In a checkout npx runs the command where it stands; only of an installed package npm makes it a program.
chmodSync(new URL("../dist/src/cli.js", import.meta.url), 0o755);
