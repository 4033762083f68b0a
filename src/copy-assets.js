// The compiler leaves out what is JavaScript already.
import { copyFileSync, cpSync } from "node:fs";

copyFileSync(
  new URL("../generated/validators.js", import.meta.url),
  new URL("../dist/generated/validators.js", import.meta.url),
);

// Nor does it know what pages load.
cpSync(new URL("web/assets", import.meta.url), new URL("../dist/src/web/assets", import.meta.url), {
  recursive: true,
});
