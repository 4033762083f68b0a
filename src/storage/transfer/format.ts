import { isObject } from "../../domain/is-object.js";
import { UserError } from "../../errors.js";

/*
 * Format of exports: lines of JSON with a header, one line per row, and a footer that reveals truncated files. The time
 * of the export is not included, so that unchanged data gives the same bytes.
 */

/** Marks the first line of an export. */
export const EXPORT_FORMAT = "page-service export";

/** Version of the format. Increases when earlier versions of the program cannot read the lines. */
export const FORMAT_VERSION = 1;

export interface Header {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: typeof FORMAT_VERSION;
  /** Version of the program that wrote the file. */
  readonly program: string;
  /** Name of the last migration of the database. */
  readonly schema: string;
  readonly scope: "service" | "workspace";
}

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** Line between header and footer. */
export interface RowLine {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

export interface Footer {
  /** Number of rows by table. */
  readonly end: Readonly<Record<string, unknown>>;
}

/** Creates the error for a line of the imported file that the user can correct. */
export function createLineError(line: number, problem: string): UserError {
  return new UserError(`line ${line}: ${problem}`);
}

export function formatLine(line: Header | RowLine | Footer): string {
  return `${JSON.stringify(line)}\n`;
}

/** Parses the first line. Throws a UserError when this program cannot read the file. */
export function parseHeader(text: string | undefined): Header {
  const value = text === undefined ? undefined : tryParse(text);
  if (!isObject(value) || value.format !== EXPORT_FORMAT) {
    throw createLineError(
      1,
      "not a page-service export (missing header line). Give a file that `page-service export` has written.",
    );
  }
  const { version, program, schema, scope } = value;
  if (typeof version !== "number" || typeof program !== "string") {
    throw createLineError(1, "the header must have a version and a program. Export the data again.");
  }
  if (version !== FORMAT_VERSION) {
    throw createLineError(
      1,
      `the file has version ${version} of the format; this program supports version ${FORMAT_VERSION}. ` +
        `Import it with page-service ${program} or later.`,
    );
  }
  if (typeof schema !== "string" || (scope !== "service" && scope !== "workspace")) {
    throw createLineError(1, "the header line has no schema or scope.");
  }
  return { format: EXPORT_FORMAT, version, program, schema, scope };
}

/** Parses a line after the first. Throws a UserError when it is neither a row nor a footer. */
export function parseLine(text: string, number: number): RowLine | Footer {
  const value = tryParse(text);
  if (value === undefined)
    throw createLineError(number, "this is not valid JSON. The file is incomplete or was changed.");
  if (isObject(value) && isObject(value.end)) return { end: value.end };
  if (isObject(value) && typeof value.table === "string" && isObject(value.row)) {
    return { table: value.table, row: value.row };
  }
  throw createLineError(number, 'a line must have "table" and "row"; the last line must have "end".');
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
