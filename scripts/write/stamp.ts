import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { STAMP_FILE, sourcesHash } from "./generator-hash.js";

// The last step of the build, run compiled: what is generated names its generator by the hash of these sources,
// whether they are run as they are or compiled.
const sources = fileURLToPath(new URL("../../../scripts", import.meta.url));
await writeFile(fileURLToPath(new URL(`../${STAMP_FILE}`, import.meta.url)), await sourcesHash(sources));
