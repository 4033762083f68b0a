import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT } from "../support/api-document.js";
import { findImportProblems, type Sources } from "./import-rules.js";

function projectSources(): Sources {
  const files = ["scripts", "src", "generated"].flatMap((folder) =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.(ts|js)$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  return new Map(
    files.map((file) => [path.relative(PROJECT, file).split(path.sep).join("/"), readFileSync(file, "utf8")]),
  );
}

test("the rules allow every import of the project, and there are no import cycles", () => {
  const sources = projectSources();
  expect(sources.size).toBeGreaterThan(50);
  expect(findImportProblems(sources)).toEqual([]);
});

test.each([
  ["scripts/load/load.ts", 'import { openStore } from "../../src/storage/engine/open-store.js";'],
  ["scripts/load/load.ts", 'import { buildApi } from "../model/build.js";'],
  ["scripts/generation.ts", 'import { operations } from "../generated/routes.js";'],
  ["scripts/model/model.ts", 'import { validate } from "../../src/http/validation.js";'],
  ["src/service.ts", 'import { generateFiles } from "../scripts/generation.js";'],
  ["generated/routes.ts", 'import { newId } from "../src/domain/ids.js";'],
  ["src/fetch/send.ts", 'import { createBinder } from "../http/index.js";'],
  ["src/http/bind.ts", 'import type { Handlers } from "../../generated/routes.js";'],
  ["src/http/bind.ts", 'import { newId } from "../domain/ids.js";'],
  ["src/domain/page.ts", 'import { operations } from "../../generated/routes.js";'],
  ["src/domain/page.ts", 'import { type operations } from "../../generated/routes.js";'],
  ["src/storage/pages/pages.ts", 'import { DomainError } from "../../domain/errors.js";'],
  ["src/storage/pages/pages.ts", 'import { presentPage } from "../../operations/present/page.js";'],
  ["src/operations/create-page.ts", 'import type { HttpRequest } from "../http/index.js";'],
  ["src/operations/create-page.ts", 'import { registerRoutes } from "../../generated/routes.js";'],
  ["src/operations/create-page.ts", 'import { hashToken } from "../access/accounts/tokens.js";'],
  ["src/adapters/pages.ts", 'import { findPages } from "../storage/pages/pages.js";'],
  ["src/adapters/pages.ts", 'import type { Page } from "../domain/page.js";'],
  ["src/adapters/pages.ts", 'import { sendResponse } from "../http/index.js";'],
  ["src/service/api.ts", 'import { findPages } from "../storage/pages/pages.js";'],
  ["src/service.ts", 'import { createPage } from "./operations/create-page.js";'],
  ["src/domain/page.ts", 'export { readBody } from "../http/body/body.js";'],
  ["src/domain/page.ts", 'export * from "../http/body/body.js";'],
  ["src/domain/page.ts", 'export * as body from "../http/body/body.js";'],
  ["src/domain/page.ts", 'export type * as body from "../http/body/body.js";'],
  ["src/domain/page.ts", 'export type { Body } from "../http/body/body.js";'],
  ["src/domain/page.ts", 'import * as body from "../http/body/body.js";'],
  ["src/domain/page.ts", 'import type * as body from "../http/body/body.js";'],
  ["src/domain/page.ts", 'import "../http/body/body.js";'],
  ["src/domain/page.ts", 'import body = require("../http/body/body.js");'],
  ["src/domain/page.ts", 'const body = require("../http/body/body.js");'],
  ["src/domain/page.ts", 'let body: import("../http/body/body.js").Body;'],
  ["src/domain/page.ts", 'let body: typeof import("../http/body/body.js");'],
  ["src/domain/page.ts", "const body = () => import(`../http/body/body.js`);"],
  ["scripts/code/encode.ts", 'import { emit } from "../emit/emitter.js";'],
  ["scripts/model/build.ts", 'import { printStringLiteral } from "../code/encode.js";'],
  ["scripts/emit/validators/compiler/code.ts", 'import { emit } from "../emit/emitter.js";'],
  ["src/storage/engine/store.ts", 'import { hashToken } from "../../access/accounts/tokens.js";'],
  ["src/web/pages.ts", 'const adapter = await import("../adapters/pages.js");'],
  ["src/client/index.ts", 'import { newId } from "../domain/ids.js";'],
  ["src/adapters/pages.ts", 'import { createPageService } from "../service.js";'],
  ["src/cli.ts", 'import { createPageService } from "./service.js";'],
  ["src/config.ts", 'import { startService } from "../test/support/service.js";'],
])("%s must not have %s", (file, line) => {
  expect(findImportProblems(new Map([[file, line]]))).toEqual([
    expect.stringMatching(`^${file} must not import [a-z/]+[a-z-]+\\.ts( \\(type\\))?$`),
  ]);
});

test("the rules allow packages, files of the same folder, and types where only types are allowed", () => {
  const sources = new Map([
    [
      "src/adapters/pages.ts",
      'import type { HttpResponse } from "../http/index.js"; import { createPage } from "../operations/create-page.js";',
    ],
    [
      "src/operations/create-page.ts",
      'import type { components } from "../../generated/types.js"; import { DomainError } from "../domain/errors.js";',
    ],
    ["src/domain/page.ts", 'import type { components } from "../../generated/types.js";'],
    [
      "src/storage/pages/pages.ts",
      'import type { Page } from "../domain/page.js"; import "../domain/text.js";',
    ],
    ["src/cli/serve.ts", 'import { createPageService } from "../service.js"; import "pino";'],
    ["src/http/body/body.ts", 'import { InvalidRequestError } from "../errors.js"; import "node:http";'],
    ["generated/client.ts", 'import "openapi-fetch"; import type { paths } from "./types.js";'],
  ]);
  expect(findImportProblems(sources)).toEqual([]);
});

test("import cycles are found, through types and re-exports, and a file that imports itself", () => {
  const cycles = new Map([
    ["src/http/a.ts", 'import { b } from "./b.js";'],
    ["src/http/b.ts", 'export type { C } from "./c.js";'],
    ["src/http/c.ts", 'import type { A } from "./a.js";'],
    ["src/http/index.ts", 'export { a } from "./a.js";'],
    ["src/domain/self.ts", 'import "./self.js";'],
  ]);
  expect(findImportProblems(cycles)).toEqual([
    "cycle: src/domain/self.ts -> src/domain/self.ts",
    "cycle: src/http/a.ts -> src/http/b.ts -> src/http/c.ts -> src/http/a.ts",
  ]);
});

test("a file that no rule covers is reported", () => {
  expect(findImportProblems(new Map([["src/new/thing.ts", ""]]))).toEqual([
    "src/new/thing.ts: no rule covers this file",
  ]);
});
