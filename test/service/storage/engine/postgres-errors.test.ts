import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { ConflictError, StorageUnavailableError, TransientConflictError } from "../../../../src/errors.js";
import { mapPostgresError } from "../../../../src/storage/engine/postgres-errors.js";

test.each([
  ["a serialization failure", "40001", TransientConflictError],
  ["a deadlock", "40P01", TransientConflictError],
  ["a timeout while waiting for a lock", "55P03", ConflictError],
  ["a statement that takes too long", "57014", StorageUnavailableError],
  ["a full disk", "53100", StorageUnavailableError],
  ["a violated constraint", "23505", DatabaseError],
])("%s has the right kind", (_, code, kind) => {
  const error = Object.assign(new DatabaseError("a message", 0, "error"), { code });
  expect(mapPostgresError(error)).toBeInstanceOf(kind);
});
