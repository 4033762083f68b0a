/*
 * An export is lines of JSON: a header, a line for each row, and a footer by which a file that was cut off is known. It
 * says nothing of when it was made: what has not changed is exported to the same bytes.
 */

export const FORMAT = "page-service export";

/** Grows when lines change in a way that earlier programs cannot read. */
export const FORMAT_VERSION = 1;

/** The first line. */
export interface Header {
  readonly format: typeof FORMAT;
  readonly version: typeof FORMAT_VERSION;
  /** Version of the program that wrote it. */
  readonly program: string;
  /** The last migration that the database had. */
  readonly schema: string;
  readonly scope: "service" | "workspace";
}

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** A line between header and footer. */
export interface RowLine {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The last line. */
export interface Footer {
  /** Number of rows by table. */
  readonly end: Readonly<Record<string, number>>;
}

/** An export cannot be made or imported, for a reason that its user can do something about. */
export class TransferError extends Error {
  override readonly name = "TransferError";

  /** @param line of the file that is imported */
  static at(line: number, problem: string): TransferError {
    return new TransferError(`line ${line}: ${problem}`);
  }
}

/** Writes a line. */
export function formatLine(line: Header | RowLine | Footer): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * Reads the first line.
 *
 * @throws TransferError when it is not one of a file that this program can read
 */
export function parseHeader(text: string | undefined): Header {
  const value = text === undefined ? undefined : tryParse(text);
  if (!isObject(value) || value.format !== FORMAT) {
    throw TransferError.at(1, "this is no export of page-service, which begins with a line that says so.");
  }
  const { version, program, schema, scope } = value;
  if (typeof version !== "number" || typeof program !== "string" || typeof schema !== "string") {
    throw TransferError.at(1, "the header has no version, program or schema.");
  }
  if (version > FORMAT_VERSION) {
    throw TransferError.at(
      1,
      `the file has version ${version} of the format, and this program knows ${FORMAT_VERSION}. ` +
        `Import it with page-service ${program} or later.`,
    );
  }
  if (version !== FORMAT_VERSION) throw TransferError.at(1, `there is no version ${version} of the format.`);
  if (scope !== "service" && scope !== "workspace") {
    throw TransferError.at(1, 'the scope must be "service" or "workspace".');
  }
  return { format: FORMAT, version, program, schema, scope };
}

/**
 * Reads a line after the first.
 *
 * @throws TransferError when it is none
 */
export function parseLine(text: string, number: number): RowLine | Footer {
  const value = tryParse(text);
  if (value === undefined) throw TransferError.at(number, "this is no JSON.");
  if (isObject(value) && isObject(value.end)) {
    const end: Record<string, number> = {};
    for (const [table, count] of Object.entries(value.end)) {
      if (typeof count !== "number") throw TransferError.at(number, "the counts must be numbers.");
      end[table] = count;
    }
    return { end };
  }
  if (isObject(value) && typeof value.table === "string" && isObject(value.row)) {
    return { table: value.table, row: value.row };
  }
  throw TransferError.at(number, 'a line must have "table" and "row", and the last one "end".');
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
