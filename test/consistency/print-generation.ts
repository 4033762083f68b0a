// Prints the generated files for the project's document as JSON. regenerate.test.ts runs it in other environments.
import path from "node:path";
import { compile } from "../../scripts/pipeline.js";
import { createGeneratorKey } from "../../scripts/generation.js";

const project = path.resolve(import.meta.dirname, "../..");
const { files } = await compile(
  path.join(project, "spec/openapi.yaml"),
  path.join(project, "generated"),
  (await createGeneratorKey({ spec: "", out: path.join(project, "generated") })) ?? "",
);
process.stdout.write(JSON.stringify(files));
