/** Details shown by `page-service export --help`. */
export const EXPORT_HELP = `
The export is a consistent snapshot as lines of JSON. The service can keep
running. The first line identifies the format, the last line counts the rows,
so that a truncated file is recognised.

Everything is exported except sessions and stored idempotent responses: pages,
databases, blocks, comments, the trash, users, accounts with password hashes,
hashes of API keys, plans and the log. API keys work where the export is
imported. Keep the file secret. A file written with --output is complete or
does not exist.

Examples:
  page-service export | gzip > backup.jsonl.gz
  page-service export --workspace Acme --output acme.jsonl`;

/** Details shown by `page-service import --help`. */
export const IMPORT_HELP = `
Everything is imported, or nothing. The file can come from SQLite or PostgreSQL.
If another version of this program with different tables wrote it, the import
names that version. Import into an empty database before the service first
starts, because its first start creates a workspace.

An export of one workspace is added to a database that has no workspace of that
id or name, also while the service runs. The workspace appears when all of it is
imported. Existing accounts are kept unchanged. A member whose address belongs
to another account is refused, because addresses are not verified.

Examples:
  gunzip < backup.jsonl.gz | page-service import
  DATABASE_URL=postgres://... page-service import --input backup.jsonl`;
