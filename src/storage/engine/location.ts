/** Whether the location of a database is the address of a PostgreSQL database, not the path of a SQLite file. */
export function isPostgresUrl(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location);
}
