import { describe, expect, test } from "vitest";
import Router from "router";
import { uncheckedFetch } from "../../../support/checked-responses.js";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";
import { startServer } from "../../../support/server.js";
import {
  compareSpecificity,
  createExactPattern,
  listPathParameterNames,
  parseTemplateQuery,
  simplifyExpressions,
  createExpressRoute,
  describeRouteProblem,
} from "../../../../scripts/model/paths/route.js";

/** Routes a request like the service, and returns the template and the parameters of the raw path, or null. */
async function match(templates: string[], url: string): Promise<{ template: string; params: object } | null> {
  const router = Router({ caseSensitive: true, strict: true });
  for (const template of templates.toSorted(compareSpecificity)) {
    router.get(createExpressRoute(template), (request, response) => {
      response.end(JSON.stringify({ template, params: request.params }));
    });
  }
  const baseUrl = await startServer((request, response) => {
    router(request, response, () => response.end("null"));
  });
  const response = await uncheckedFetch(baseUrl + url);
  // The cast: the handlers above return only this.
  return (await response.json()) as Awaited<ReturnType<typeof match>>;
}

describe("the route of a path template", () => {
  test.each([
    ["/", "/", {}],
    ["/v1/pages", "/v1/pages", {}],
    ["/v1/pages/{page_id}", "/v1/pages/a%2Fb", { page_id: "a/b" }],
    ["/a/{x}.{y}", "/a/1.json", { x: "1", y: "json" }],
    ["/a/{x}-{y}", "/a/1-2", { x: "1", y: "2" }],
    ["/a/{x}b", "/a/1b", { x: "1" }],
    ["/a/{file-name}", "/a/1", { "file-name": "1" }],
    ["/a/{x y}", "/a/1", { "x y": "1" }],
    ['/a/{"}', "/a/1", { '"': "1" }],
    ["/a/{\\}", "/a/1", { "\\": "1" }],
    ["/a/{:x}", "/a/1", { ":x": "1" }],
    ["/a/{1}", "/a/1", { "1": "1" }],
    ["/a/{größe}", "/a/1", { größe: "1" }],
    ["/a/{x}:run", "/a/1:run", { x: "1" }],
    ["/a:b", "/a:b", {}],
    ["/a(b)", "/a(b)", {}],
    ["/a*", "/a*", {}],
    ["/a+b", "/a+b", {}],
    ["/a!b", "/a!b", {}],
    ["/a[b]", "/a%5Bb%5D", {}],
    ["/a b", "/a%20b", {}],
    ["/a%20b", "/a%20b", {}],
    ["/größe", "/gr%C3%B6%C3%9Fe", {}],
    ["/pages/", "/pages/", {}],
    ["/pages//x", "/pages//x", {}],
    ["/users('{id}')", "/users('7')", { id: "7" }],
    ["/a/{x}?view=all&page={page}", "/a/1?view=all&page=2", { x: "1" }],
    ["/a/{x}#Action=Read", "/a/1", { x: "1" }],
    ["/a/{?x}", "/a/1", { "?x": "1" }],
  ])("%s matches %s", async (template, url, params) => {
    expect(await match([template], url)).toEqual({ template, params });
  });

  test.each([
    ["/v1/pages", "/v1/pages/"],
    ["/v1/pages", "/v1/Pages"],
    ["/v1/pages/{id}", "/v1/pages/"],
    ["/v1/pages/{id}", "/v1/pages/a/b"],
    ["/a*", "/abc"],
    ["/a(b)", "/ab"],
    ["/a+b", "/aab"],
    ["/a.b", "/axb"],
    ["/a/{x}.json", "/a/1xjson"],
  ])("%s does not match %s", async (template, url) => {
    expect(await match([template], url)).toBeNull();
  });

  test.each([
    ["/a/{b", /without a }/],
    ["/a/b}", /without a {/],
    ["/a/{}", /no name/],
    ["/a/{b}{.c}", /parameters \{b\}\{\.c\} need names of only letters, digits and underscores/],
  ])("%s has no route, and the error gives the reason", (template, message) => {
    expect(describeRouteProblem(template)).toMatch(message);
  });

  test.each([
    ["/a/{b}/c/{d-e}", ["b", "d-e"]],
    ["/a", []],
    ["/a/{b}?c={c}#{d}", ["b"]],
  ])("%s names its parameters", (template, names) => {
    expect(listPathParameterNames(template)).toEqual(names);
  });
});

test.each([
  ["/a/{b}{c}", "/a/x.y.z", { b: "x.y", c: ".z" }],
  ["/a.b/{b}{c}.d", "/a.b/x.z.d", { b: "x", c: ".z" }],
  ["/a/{b}{c}", "/a/x.y", undefined],
  ["/a/{b}{c}", "/a/.z", undefined],
  ["/a/{b}{c}", "/a/x/y.z", undefined],
  ["/a/{b}{c}", "/a/x%20%C3%A9", { b: "x", c: "%20%C3%A9" }],
  ["/a/{b}{c}", "/a/x:@$&+,;=", { b: "x", c: ":@$&+,;=" }],
  ["/a/{b}{c}", "/a/x%3A%40%24%26%2B%2C%3B%3D", { b: "x", c: "%3A%40%24%26%2B%2C%3B%3D" }],
  ["/a/{b}{c}", "/a/x!'()*", { b: "x", c: "!'()*" }],
  ["/a/{b}{c}", "/a/x%21%27%28%29%2A", { b: "x", c: "%21%27%28%29%2A" }],
])("adjacent parameters of %s are separated by their listed values in %s", (template, url, groups) => {
  const pattern = createExactPattern(template, () => ({ listed: [".z", " é", ":@$&+,;=", "!'()*"] }));
  expect(new RegExp(pattern ?? "", "u").exec(url)?.groups).toEqual(groups && { ...groups });
});

test("adjacent parameters are separated by the prefix of a style", () => {
  const pattern = createExactPattern("/a/{b}{c}/d", () => ({ prefix: "." }));
  const { groups } = new RegExp(pattern ?? "", "u").exec("/a/xyz.1.2/d") ?? {};
  expect(groups).toEqual({ b: "xyz", c: ".1.2" });
});

test.each([
  ["/a/xyz", { b: "x", c: "yz" }],
  ["/a/%C3%A9%F0%9F%8C%8D", { b: "%C3%A9", c: "%F0%9F%8C%8D" }],
  ["/a/%20y", { b: "%20", c: "y" }],
  ["/a/x%E2%82%AC", { b: "x", c: "%E2%82%AC" }],
  ["/a/%C3%A9", undefined],
  ["/a/%C3%A9%C3%A8", { b: "%C3%A9", c: "%C3%A8" }],
])("without listed values, the first parameter gets one character of %s", (url, groups) => {
  const pattern = createExactPattern("/a/{b}{c}", () => undefined);
  expect(new RegExp(pattern ?? "", "u").exec(url)?.groups).toEqual(groups && { ...groups });
});

test.each([
  [undefined, "x"],
  [{ prefix: "." }, "."],
])(
  "a long path that adjacent parameters with values %o do not match takes linear time",
  async (values, character) => {
    const pattern = new RegExp(createExactPattern("/a/{b}{c}", () => values) ?? "", "u");
    const url = `/a/${character.repeat(100_000)}/`;
    await expectCpuTimeBelow(200, () => {
      expect(pattern.exec(url)).toBeNull();
    });
  },
);

/** Routes a request by a pattern like generated code, and returns the decoded parameters of the path, or null. */
async function matchPattern(pattern: string | undefined, url: string): Promise<unknown> {
  const router = Router();
  router.get(new RegExp(pattern ?? "", "u"), (request, response) => {
    response.end(JSON.stringify(request.params));
  });
  const baseUrl = await startServer((request, response) => {
    router(request, response, () => response.end("null"));
  });
  return (await uncheckedFetch(baseUrl + url)).json();
}

// The router finds the names of groups by an expression of its own, not by those of the match.
test.each([
  ["/a/{b}{c}", "/a/xyz", { b: "x", c: "yz" }],
  ["/a/{b}{c}", "/a/%C3%A9%F0%9F%8C%8D", { b: "é", c: "🌍" }],
  ["/a/{b}{c}{d}", "/a/%20yz", { b: " ", c: "y", d: "z" }],
  ["/a/{b}{c}", "/a/x", null],
])(
  "a router reads the adjacent parameters of %s without listed values in %s",
  async (template, url, params) => {
    expect(
      await matchPattern(
        createExactPattern(template, () => undefined),
        url,
      ),
    ).toEqual(params);
  },
);

test.each([
  ["/reports({id}{ext})", "/reports(7.csv)", { id: "7", ext: ".csv" }],
  ["/reports({id}{ext})", "/reports(7(1))", { id: "7", ext: "(1)" }],
  ["/reports({id}{ext})", "/reports(7%281%29)", { id: "7", ext: "(1)" }],
])("a router reads the parameters of %s beside parentheses in %s", async (template, url, params) => {
  const pattern = createExactPattern(template, () => ({ listed: [".csv", "(1)"] }));
  expect(await matchPattern(pattern, url)).toEqual(params);
});

test("a router reads the parameter of an exact pattern between parentheses", async () => {
  expect(await matchPattern(createExactPattern("/Users({id})"), "/Users(7)")).toEqual({ id: "7" });
});

test("has no such pattern for names that are invalid in patterns", () => {
  expect(createExactPattern("/a/{b}{.c}", () => ({ listed: ["z"] }))).toBeUndefined();
});

test("parses the query string of a template into text and names", () => {
  expect(parseTemplateQuery("/a/{?b}?view=a%20b&page={page}&wsdl&x=1=2&&y={a}-{b}&{z}=1#c=d")).toEqual([
    { name: "view", value: "a b" },
    { name: "page", parameter: "page" },
    { name: "wsdl", value: "" },
    { name: "x", value: "1=2" },
    { name: "y", value: "{a}-{b}" },
    { name: "z", parameter: "z" },
  ]);
  expect(parseTemplateQuery("/a#b?c=d")).toEqual([]);
});

describe("the most literal of several routes handles the request", () => {
  const TEMPLATES = [
    "/{a}/{b}",
    "/{a}",
    "/x/{b}",
    "/x/y",
    "/{a}/y",
    "/x.{ext}",
    "/{a}/{b}/z",
    "/f/{name}",
    "/f/{name}.{ext}",
    "/f/{name}.json",
    "/f/{name}:run",
  ];
  test.each([
    ["/x/y", "/x/y"],
    ["/x/1", "/x/{b}"],
    ["/1/y", "/{a}/y"],
    ["/1/2", "/{a}/{b}"],
    ["/1", "/{a}"],
    ["/x/y/z", "/{a}/{b}/z"],
    ["/f/1.json", "/f/{name}.json"],
    ["/f/1.csv", "/f/{name}.{ext}"],
    ["/f/1", "/f/{name}"],
    ["/f/1:run", "/f/{name}:run"],
  ])("%s is handled by %s, in any order of declaration", async (url, template) => {
    expect(await match(TEMPLATES, url)).toMatchObject({ template });
    expect(await match(TEMPLATES.toReversed(), url)).toMatchObject({ template });
  });
});

test.each([
  ["/v1/{+a}:read", "/v1/{a}:read"],
  ["/{#a}/{a*}/{a+}/{a:3}/{a=**}/{a=x/*}/{=a}", "/{a}/{a}/{a}/{a}/{a}/{a}/{=a}"],
  ["/o{.a}{/a}{;a}", "/o.{a}/{a};a={a}"],
  ["/o{.label}{;matrix}", "/o{label}{matrix}"],
  ["/o{?q,r}{&q}#{a}", "/o#{a}"],
  // Declared with these names, or not declared.
  ["/{d*}/{+other}/{other=*}{?q,other}", "/{d*}/{+other}/{other=*}{?q,other}"],
])("the expressions of %s are read as %s", (template, simplified) => {
  const styles: Record<string, string> = {
    "path a": "simple",
    "path d": "simple",
    "path d*": "simple",
    "path label": "label",
    "path matrix": "matrix",
    "query q": "form",
    "query r": "form",
  };
  expect(simplifyExpressions(template, (location, name) => styles[`${location} ${name}`])).toBe(simplified);
});
