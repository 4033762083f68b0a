import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import {
  LockTimeoutError,
  StorageUnavailableError,
  TransactionConflictError,
} from "../../../../src/errors.js";
import {
  breaksConnection,
  explainOpenError,
  mapPostgresError,
} from "../../../../src/storage/engine/postgres-errors.js";

function createDatabaseError(code: string, message: string): DatabaseError {
  return Object.assign(new DatabaseError(message, 0, "error"), { code });
}

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
  expect(mapPostgresError(createDatabaseError(code, "a message"))).toBeInstanceOf(kind);
});

test.each([
  ["a lost connection", new Error("Connection terminated unexpectedly"), true],
  ["a server that shuts down", "57P01", true],
  ["a transaction that was idle for too long", "25P03", true],
  ["a write to a read-only database", "25006", true],
  ["a statement that takes too long", "57014", false],
  ["a violated constraint", "23505", false],
])("after %s the connection is unusable or not", (_, cause, expected) => {
  const error = typeof cause === "string" ? createDatabaseError(cause, "a message") : cause;
  expect(breaksConnection(error)).toBe(expected);
});

test("an error without a message, as of a host with several addresses, is explained by its code", () => {
  const error = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  expect(mapPostgresError(error)).toHaveProperty("message", "PostgreSQL is unavailable: ECONNREFUSED");
});

const NO_ENTRY = 'no pg_hba.conf entry for host "192.0.2.1", user "ada", database "pages"';

test.each([
  [
    new Error("The server does not support SSL connections"),
    /connections\. Check sslmode and sslrootcert in/,
  ],
  [new Error("self-signed certificate in certificate chain"), /chain\. Check sslmode and sslrootcert in/],
  [new Error("ENOENT: no such file or directory, open '/ca.pem'"), /'\. Check sslmode and sslrootcert in/],
  [
    createDatabaseError("28000", `${NO_ENTRY}, no encryption`),
    /no encryption\. Check the user, the database and sslmode/,
  ],
  [createDatabaseError("28000", `${NO_ENTRY}, SSL off`), /off\. Check the user, the database and sslmode/],
  [createDatabaseError("28000", `${NO_ENTRY}, SSL encryption`), /encryption\. Check the user, the password/],
  [createDatabaseError("3D000", 'database "certificates" does not exist'), /Check the user, the password/],
  [createDatabaseError("3D000", 'database "pages" does not exist'), /exist\. Check the user, the password/],
  [
    createDatabaseError("42501", "permission denied for schema public"),
    /public\. Make the user of DATABASE_URL/,
  ],
  [
    new Error("Received unexpected copyData message from backend."),
    /backend\. Check the address in DATABASE_URL/,
  ],
])("an error of opening a database is explained with the remedy: %s", (error, message) => {
  expect(explainOpenError(error)).toBeInstanceOf(StorageUnavailableError);
  expect(explainOpenError(error)).toHaveProperty("message", expect.stringMatching(message));
});
