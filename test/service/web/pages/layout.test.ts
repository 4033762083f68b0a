import { expect, test } from "vitest";
import { readText, startWeb } from "../visitors.js";

test("the header marks the link to the current page", async () => {
  const ada = await (await startWeb()).member("Ada");
  const readMarked = async (path: string) =>
    [...(await readText(ada, path)).matchAll(/href="([^"]*)"[^>]*\saria-current="page"/g)].map(
      ([, href]) => href,
    );
  for (const path of ["/search", "/trash", "/settings/api", "/settings/members", "/settings/account"])
    expect(await readMarked(path)).toEqual([path]);
  expect(await readMarked("/")).toEqual([]);
});
