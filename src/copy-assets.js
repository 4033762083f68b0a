// The compiler leaves out what is JavaScript already.
import { copyFileSync } from "node:fs";

copyFileSync(
  new URL("../generated/validators.js", import.meta.url),
  new URL("../dist/generated/validators.js", import.meta.url),
);
