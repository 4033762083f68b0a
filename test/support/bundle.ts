import { build } from "esbuild";
import { PROJECT } from "./api-document.js";

/** Bundles a program and its imports, which are relative to a folder, into one minified module for browsers. */
export async function bundleProgram(program: string, folder = PROJECT): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
