import { expect, test } from "vitest";
import { formatWelcome } from "../../../src/cli/welcome.js";
import { readConfig } from "../../../src/config.js";

test("the welcome shows the chosen port and the database without its password", () => {
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: "postgres://user:secret@db.example.org:5433/caf%C3%A9",
  });
  const welcome = formatWelcome({
    config,
    port: 1234,
    memory: false,
    demo: undefined,
    setupToken: undefined,
  });
  expect(welcome).toContain("PostgreSQL, café at db.example.org:5433");
  expect(welcome).toContain("http://localhost:1234/docs");
  expect(welcome).not.toContain("secret");
});

test.each([
  ["postgres://user@localhost", "PostgreSQL, the default database of the user at localhost"],
  ["postgres://user@/pages?host=/var/run/postgresql", "PostgreSQL, pages at /var/run/postgresql"],
  ["postgres://user@db/pages?host=", "PostgreSQL, pages at db"],
])("the welcome describes the database of %s", (DATABASE_URL, description) => {
  const config = readConfig({ DATABASE_URL });
  const started = { port: 3000, memory: false, demo: undefined, setupToken: undefined };
  expect(formatWelcome({ config, ...started })).toContain(description);
});

test("the welcome shows the addresses of the API and of the web application, and the demo database", () => {
  const config = readConfig({ BASE_URL: "https://api.example.org", APP_URL: "https://app.example.org" });
  const welcome = formatWelcome({
    config,
    port: 3000,
    memory: true,
    demo: { rootDatabaseId: "id-of-the-database", key: undefined },
    setupToken: "token",
  });
  expect(welcome).toContain("https://api.example.org/docs");
  expect(welcome).toContain("https://app.example.org/join/token");
  expect(welcome).toContain("https://app.example.org/settings/api");
  expect(welcome).toMatch(/Database id +id-of-the-database/);
});

test.each([
  ["127.0.0.1", "http://localhost:3000", false],
  ["::1", "http://localhost:3000", false],
  ["::", "http://localhost:3000", true],
  ["0.0.0.0", "http://localhost:3000", true],
  ["192.0.2.2", "http://192.0.2.2:3000", false],
  ["2001:db8::2", "http://[2001:db8::2]:3000", false],
  ["not a host", "http://localhost:3000", false],
])("with HOST=%s, addresses begin with %s", (HOST, address, mentionsBaseUrl) => {
  const config = readConfig({ HOST });
  const started = { port: 3000, memory: false, demo: undefined, setupToken: undefined };
  const welcome = formatWelcome({ config, ...started });
  expect(welcome).toContain(`Page Service is running at ${address}\n`);
  expect(welcome.includes("Set BASE_URL")).toBe(mentionsBaseUrl);
});

test("the welcome shows the folder of the data, and asks for no BASE_URL that is set", () => {
  const config = readConfig({ DATA_DIR: "/srv/pages", HOST: "::", BASE_URL: "https://api.example.org" });
  const started = { port: 3000, memory: false, demo: undefined, setupToken: undefined };
  const welcome = formatWelcome({ config, ...started });
  expect(welcome).toContain("  Data       /srv/pages\n");
  expect(welcome).not.toContain("Set BASE_URL");
});

test("data in memory is not in the database of DATABASE_URL", () => {
  const config = readConfig({ DATABASE_URL: "postgres://user@localhost" });
  const started = { port: 3000, memory: true, demo: undefined, setupToken: undefined };
  expect(formatWelcome({ config, ...started })).toContain("stops (DATABASE_URL is not used)");
});
