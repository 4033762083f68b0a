import { expect, test } from "vitest";
import { isPostgresUrl } from "../../../../src/storage/engine/location.js";

test("a location is the address of a PostgreSQL database with one of its schemes, in any case", () => {
  const addresses = [
    "postgres://ada@localhost/pages",
    "postgresql://localhost/pages",
    "POSTGRES://localhost",
  ];
  for (const address of addresses) expect(isPostgresUrl(address)).toBe(true);
  for (const path of [":memory:", "postgres", "data/postgres://localhost", "postgresq://localhost"])
    expect(isPostgresUrl(path)).toBe(false);
});
