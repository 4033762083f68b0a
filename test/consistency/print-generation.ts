// Prints the generated files for the project's document as JSON. regenerate.test.ts runs it in other environments.
import path from "node:path";
import { createGeneratorKey, generateFiles } from "../../scripts/generation.js";

const project = path.resolve(import.meta.dirname, "../..");
const options = { spec: path.join(project, "spec/openapi.yaml"), out: path.join(project, "generated") };
const { files } = await generateFiles(options, await createGeneratorKey(options));
process.stdout.write(JSON.stringify(files));
