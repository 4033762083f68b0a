import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Imports } from "../../../../scripts/emit/common/imports.js";
import { printStatusType } from "../../../../scripts/emit/common/status-types.js";
import { FINAL_STATUSES } from "../../../../scripts/model/messages.js";
import { PROJECT } from "../../../support/api-document.js";

const print = (statuses: number[]): string => printStatusType(statuses, new Imports("runtime"));
const withoutContent = [204, 205, 304];
const errors = FINAL_STATUSES.filter((status) => status >= 300 && !withoutContent.includes(status));

test.each([
  [[200], "200"],
  [[404, 410], "404 | 410"],
  [errors, "RedirectStatus | ClientErrorStatus | ServerErrorStatus"],
  [
    errors.filter((status) => ![404, 503].includes(status)),
    "Exclude<RedirectStatus | ClientErrorStatus | ServerErrorStatus, 404 | 503>",
  ],
  [errors.filter((status) => status >= 500), "ServerErrorStatus"],
  [[500, 501, 502, 503, 504, 505], "Exclude<ServerErrorStatus, 506 | 507 | 508 | 509 | 510 | 511>"],
  [[500, 501, 502, 503, 504], "500 | 501 | 502 | 503 | 504"],
  [[201, 304, ...errors.filter((status) => status >= 500)], "ServerErrorStatus | 201 | 304"],
])("prints the type of the statuses %j", (statuses, expected) => {
  expect(print(statuses)).toBe(expected);
});

test("the runtime's types have the statuses of ranges", () => {
  const source = readFileSync(path.join(PROJECT, "src/http/message-types.ts"), "utf8");
  const listStatuses = (name: string): number[] => {
    const [, union = ""] = new RegExp(`export type ${name} =([^;]*);`).exec(source) ?? [];
    return [...union.matchAll(/\d+/g)].map(Number);
  };
  const found = ["RedirectStatus", "ClientErrorStatus", "ServerErrorStatus"].flatMap(listStatuses);
  expect(found).toEqual(errors);
});
