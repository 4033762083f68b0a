// Prints what the pipeline makes of the project's document, as JSON. Run by regenerate.test.ts in other surroundings.
import path from "node:path";
import { generate } from "../../scripts/pipeline.js";
import { generatorHash } from "../../scripts/write/generator-hash.js";

const project = path.resolve(import.meta.dirname, "../..");
const { files } = await generate(
  path.join(project, "spec/openapi.yaml"),
  path.join(project, "generated"),
  await generatorHash(),
);
process.stdout.write(JSON.stringify(files));
