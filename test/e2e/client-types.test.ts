import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ForeignProject } from "./foreign-project.js";
import { expectNoNodeTypes } from "./web-page.js";

// client-only.test.ts checks page-service-client with TypeScript 7 in the same way. This test uses TypeScript 5.9, because
// TypeScript 7 has optional dependencies, which cannot be installed without those of page-service.
test("page-service/client needs no types of Node in a web project with TypeScript 5.9", async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), "page-service-packed-"));
  const project = new ForeignProject();
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    project.remove();
  });
  const tarball = await ForeignProject.pack(folder);
  const unreachable = await project.npmInstall("--omit=optional", tarball, "typescript@5.9.3");
  if (unreachable !== undefined && process.env.CI) throw new Error(unreachable);
  if (unreachable !== undefined) return context.skip(unreachable);
  expect(project.packages()).not.toContain("node_modules/@types/node");
  await expectNoNodeTypes(project, "page-service/client", "page-service/types");
});
