import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import { build, built, documentWith, operationWith, problemsOf } from "./document.js";

describe("security and servers", () => {
  const components = {
    securitySchemes: {
      token: { type: "http", scheme: "Bearer" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      login: {
        type: "oauth2",
        flows: { implicit: { scopes: { read: "Read." } }, password: { scopes: { write: "Write." } } },
      },
      session: { type: "apiKey", in: "cookie", name: "sid", description: "A session." },
      query: { type: "apiKey", in: "query", name: "key" },
      identity: { type: "openIdConnect", openIdConnectUrl: "https://id.example.test" },
      certificate: { type: "mutualTLS" },
      same: { $ref: "#/components/securitySchemes/certificate" },
      bad: { type: "apiKey", in: "body", name: "k" },
    },
  };
  const rest: JsonObject = {
    components,
    security: [{ token: [] }, { key: [], login: ["read"] }],
    servers: [
      {
        url: "https://{region}.example.test/v1",
        variables: { region: { default: "eu", enum: ["eu", "us"] } },
      },
    ],
  };

  test("security schemes have the members of their type, and the scopes of all flows", () => {
    expect(build(documentWith({}, rest)).securitySchemes).toEqual([
      { name: "token", type: "http", description: "", scheme: "bearer" },
      { name: "key", type: "apiKey", description: "", in: "header", key: "X-Key" },
      { name: "login", type: "oauth2", description: "", scopes: { read: "Read.", write: "Write." } },
      { name: "session", type: "apiKey", description: "A session.", in: "cookie", key: "sid" },
      { name: "query", type: "apiKey", description: "", in: "query", key: "key" },
      { name: "identity", type: "openIdConnect", description: "", url: "https://id.example.test" },
      { name: "certificate", type: "mutualTLS", description: "" },
      { name: "same", type: "mutualTLS", description: "" },
    ]);
  });

  test("an operation has its own requirement or the document's; an empty one makes it public", () => {
    const shared = [
      [{ scheme: "token", scopes: [] }],
      [
        { scheme: "key", scopes: [] },
        { scheme: "login", scopes: ["read"] },
      ],
    ];
    expect(built({}, rest).security).toEqual(shared);
    expect(built({ security: [] }, rest).security).toEqual([]);
    expect(built({ security: [{}, { key: [] }] }, rest).security).toEqual([
      [],
      [{ scheme: "key", scopes: [] }],
    ]);
    expect(built({}, { components }).security).toEqual([]);
  });

  test("warns once about an undeclared scheme", () => {
    const paths = { "/a": { get: operationWith(), put: operationWith() } };
    expect(
      problemsOf(documentWith(paths, { ...rest, security: [{ token: [], tokn: [], other: [] }] })),
    ).toEqual([
      'warning /security/0/tokn: The security scheme "tokn" is not declared. Did you mean "token"?',
      'warning /security/0/other: The security scheme "other" is not declared. Add it to securitySchemes.',
    ]);
  });

  test("a URI refers to a scheme of the document; warns about other URIs", () => {
    const security: JsonObject[] = [
      { "#/components/securitySchemes/token": [] },
      { "other.yaml#/components/securitySchemes/key": [] },
    ];
    expect(built({ security }, rest).security[0]).toEqual([{ scheme: "token", scopes: [] }]);
    const encoded = { security: [{ "#/components/securitySchemes/a~1%62": [] }] };
    expect(built(encoded, rest).security).toEqual([[{ scheme: "a/b", scopes: [] }]]);
    expect(problemsOf(documentWith({}, { ...rest, security }))).toEqual([]);
    expect(problemsOf(documentWith({ "/a": { get: operationWith() } }, { ...rest, security }))).toEqual([
      'warning /security/1/other.yaml#~1components~1securitySchemes~1key: The security scheme "other.yaml#/components/securitySchemes/key" is in another document, where it is not looked up. Add it to securitySchemes, and use its name.',
    ]);
  });

  test("servers use the defaults of their variables; an operation's servers come first", () => {
    expect(built({}, rest).servers[0]).toMatchObject({
      url: "https://eu.example.test/v1",
      template: "https://{region}.example.test/v1",
      variables: [{ name: "region", default: "eu", values: ["eu", "us"] }],
    });
    const path: JsonObject = { url: "/{a}/{a}", variables: { a: { default: "$&" } } };
    expect(built({ servers: [path] }).servers.map(({ url }) => url)).toEqual(["/$&/$&"]);
    expect(built({ servers: [{ url: "/own" }] }, rest).servers.map(({ url }) => url)).toEqual(["/own"]);
    expect(built({ servers: [{}] }).servers.map(({ url }) => url)).toEqual(["/"]);
    expect(built({}).servers).toEqual([]);
  });

  test.each([
    [
      "protocol://hostname:<port>/switch/",
      'The server is left out, because "protocol://hostname:<port>/switch/" is not a URL. Correct it.',
    ],
    [
      "https://{host}/v1",
      'The server is left out, because "https://{host}/v1" is not a URL. Declare the variable "host" with a default.',
    ],
    [
      "/{version}",
      'The server is left out, because "/{version}" is not a URL. Declare the variable "version" with a default.',
    ],
  ])("reports the server %s once and omits it", (url, message) => {
    const servers = [{ url }, { url: "/v2" }];
    expect(built({}, { servers }).servers.map((server) => server.url)).toEqual(["/v2"]);
    const paths = { "/a": { get: operationWith(), put: operationWith() } };
    expect(problemsOf(documentWith(paths, { servers }))).toEqual([`warning /servers/0: ${message}`]);
  });

  test("reports a default that the values of its variable do not include", () => {
    const variables = { v: { default: "v3", enum: ["v1", "v2"] }, any: { default: "a" } };
    const servers = [{ url: "/{v}/{any}", variables }];
    expect(built({}, { servers }).servers.map(({ url }) => url)).toEqual(["/v3/a"]);
    expect(problemsOf(documentWith({ "/a": { get: operationWith() } }, { servers }))).toEqual([
      'warning /servers/0/variables/v: `enum` does not list the default "v3". Correct one of them.',
    ]);
  });
});
