import { type StatementStructures, Project, type WriterFunction } from "ts-morph";
import { BANNER } from "./encode.js";

export type Statement = string | WriterFunction | StatementStructures;

/** Prints statements as one TypeScript file below the banner. They are added at once: each addition costs a parse. */
export function printSource(statements: Statement[]): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const file = project.createSourceFile("generated.ts", { statements: [BANNER, ...statements] });
  return file.getFullText();
}
