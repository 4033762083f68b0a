import path from "node:path";
import type { DemoWorkspace } from "../access/workspaces/demo.js";
import { INVITATION_TTL_DAYS } from "../access/workspaces/invitations.js";
import { type Config, isWildcard, parsePostgresUrl } from "../config.js";

interface StartedService {
  readonly config: Config;
  /** The port in use; with PORT=0 the system chose it. */
  readonly port: number;
  readonly memory: boolean;
  /** Undefined when there was a workspace already. */
  readonly demo: DemoWorkspace | undefined;
  /** Undefined when there is an account already. */
  readonly setupToken: string | undefined;
}

/** Formats the message on standard output. It is not logged, because it contains the demo key and the setup link. */
export function formatWelcome({ config, port, memory, demo, setupToken }: StartedService): string {
  const apiUrl = replacePort(config.baseUrl, config, port);
  const appUrl = replacePort(config.appUrl, config, port);
  return [
    "",
    `Page Service is running at ${apiUrl}`,
    ...(isWildcard(config.host) && new URL(apiUrl).hostname === "localhost"
      ? ["Set BASE_URL to the address at which other machines reach it."]
      : []),
    "",
    ...(setupToken === undefined
      ? []
      : [
          `  Setup      ${appUrl}/join/${setupToken}`,
          `             Create your account as owner with this link. It works once, for ${INVITATION_TTL_DAYS} days.`,
          "",
        ]),
    `  API docs   ${apiUrl}/docs`,
    `  OpenAPI    ${apiUrl}/openapi.json`,
    `  API keys   ${appUrl}/settings/api`,
    `  Health     ${apiUrl}/livez  ${apiUrl}/readyz`,
    `  Metrics    ${apiUrl}/metrics`,
    `  Data       ${describeData(config.database, memory)}`,
    "",
    ...(demo
      ? describeDemo(demo, apiUrl)
      : ["Create a key:  npx page-service keys create --workspace NAME", ""]),
  ].join("\n");
}

function describeDemo({ rootDatabaseId, key }: DemoWorkspace, apiUrl: string): string[] {
  const body = JSON.stringify({
    parent: { database_id: rootDatabaseId },
    properties: { Title: { title: [{ text: { content: "Hello" } }] } },
  });
  const formatCurl = (authorization: string): string =>
    `  curl ${apiUrl}/v1/pages -H ${authorization} -H 'Content-Type: application/json' -d '${body}'`;
  return [
    'This first start created the workspace "Demo" (plan pro, 1,000 requests per minute) with a database "Pages":',
    "",
    `  Database id  ${rootDatabaseId}`,
    "",
    ...(key === undefined
      ? [
          "There is no demo API key, because HOST is not a loopback address. Create a key on the page of API keys, then",
          "create a page:",
          "",
          formatCurl('"Authorization: Bearer $API_KEY"'),
        ]
      : [
          "Create a page with the demo API key, which expires in 30 days and is not shown again:",
          "",
          formatCurl(`'Authorization: Bearer ${key}'`),
        ]),
    "",
  ];
}

function replacePort(url: string, config: Config, port: number): string {
  return config.port === 0 ? url.replace(/:0$/, `:${port}`) : url;
}

/** Describes where the data is, without user and password. */
function describeData(location: string, memory: boolean): string {
  const url = parsePostgresUrl(location);
  if (memory) return `in memory: lost when the service stops${url ? " (DATABASE_URL is not used)" : ""}`;
  if (url === undefined) return path.dirname(location);
  const database = decodeURIComponent(url.pathname.slice(1)) || "the default database of the user";
  return `PostgreSQL, ${database} at ${url.searchParams.get("host") || url.host || "localhost"}`;
}
