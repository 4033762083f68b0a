import Database from "libsql";
import { expect, test } from "vitest";
import { LockTimeoutError, StorageUnavailableError } from "../../../../src/errors.js";
import { mapSqliteError } from "../../../../src/storage/engine/sqlite-errors.js";

test.each([
  ["SQLITE_READONLY", 8],
  // The code of a database in a folder without write permission.
  ["UNKNOWN_SQLITE_ERROR_1544", 1544],
])("a database that cannot be written is unavailable, with the remedy: %s", (code, rawCode) => {
  const mapped = mapSqliteError(
    new Database.SqliteError("attempt to write a readonly database", code, rawCode),
  );
  expect(mapped).toBeInstanceOf(StorageUnavailableError);
  expect(mapped).toHaveProperty(
    "message",
    "The database is unavailable: attempt to write a readonly database. " +
      "Make the file and its folder writable for this user, or run the program as another user.",
  );
});

test.each([
  ["SQLITE_BUSY", 5],
  ["SQLITE_BUSY_SNAPSHOT", 517],
  ["SQLITE_LOCKED", 6],
])("a database that another process locks can be tried again: %s", (code, rawCode) => {
  const mapped = mapSqliteError(new Database.SqliteError("database is locked", code, rawCode));
  expect(mapped).toBeInstanceOf(LockTimeoutError);
});
