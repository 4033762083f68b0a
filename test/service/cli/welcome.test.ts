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
