import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import {
  LockTimeoutError,
  StorageUnavailableError,
  TransactionConflictError,
} from "../../../../src/errors.js";
import { breaksConnection, mapPostgresError } from "../../../../src/storage/engine/postgres-errors.js";

test.each([
  ["a serialization failure", "40001", TransactionConflictError],
  ["a deadlock", "40P01", TransactionConflictError],
  ["a timeout while waiting for a lock", "55P03", LockTimeoutError],
  ["a statement that takes too long", "57014", StorageUnavailableError],
  ["a full disk", "53100", StorageUnavailableError],
  ["a server that is a replica", "25006", StorageUnavailableError],
  ["a transaction that was idle for too long", "25P03", StorageUnavailableError],
  ["a violated constraint", "23505", DatabaseError],
])("%s has the right kind", (_, code, kind) => {
  const error = Object.assign(new DatabaseError("a message", 0, "error"), { code });
  expect(mapPostgresError(error)).toBeInstanceOf(kind);
});

test.each([
  ["a lost connection", new Error("Connection terminated unexpectedly"), true],
  ["a server that shuts down", "57P01", true],
  ["a transaction that was idle for too long", "25P03", true],
  ["a write to a read-only database", "25006", true],
  ["a statement that takes too long", "57014", false],
  ["a violated constraint", "23505", false],
])("after %s the connection is unusable or not", (_, cause, expected) => {
  const error =
    typeof cause === "string" ? Object.assign(new DatabaseError("a", 0, "error"), { code: cause }) : cause;
  expect(breaksConnection(error)).toBe(expected);
});

test("an error without a message, as of a host with several addresses, is explained by its code", () => {
  const error = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  expect(mapPostgresError(error)).toHaveProperty("message", "PostgreSQL is unavailable: ECONNREFUSED");
});
