import { execFileSync, spawn } from "node:child_process";
import {
  createReadStream,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createPageService } from "../../../../src/service.js";
import { UserError } from "../../../../src/errors.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import { importDatabase } from "../../../../src/storage/transfer/import.js";
import { createAccount } from "../../../support/accounts.js";
import { createEnvironment } from "../../command.js";
import { openSecondConnection } from "../../../support/stores.js";
import { startService } from "../../../support/service.js";
import { exportDatabase, createSqliteLocation, runOn, kinds } from "./command.js";
import { fillService } from "./fill.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

let made: Promise<string> | undefined;

/** Exports a service with objects of every kind; the export is cached. */
function getExport(): Promise<string> {
  made ??= (async () => {
    const location = createSqliteLocation();
    const running = await startService({ database: location });
    await fillService(running);
    await running.service.close();
    return exportDatabase(location);
  })();
  return made;
}

type Line = Record<string, unknown> & { table?: string; row?: Record<string, unknown> };

/** Parses the lines of an export. */
async function parseExport(): Promise<Line[]> {
  return (await getExport())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

/** Writes lines to a file and returns its path. */
function writeLines(lines: readonly (Line | string)[]): string {
  const file = path.join(createTemporaryFolder(), "backup.jsonl");
  writeFileSync(
    file,
    lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
  );
  return file;
}

/** Finds the number of the first or last line of a table. */
function findLine(lines: readonly Line[], table: string, which: "first" | "last" = "first"): number {
  const fits = (line: Line): boolean => line.table === table;
  return (which === "first" ? lines.findIndex(fits) : lines.findLastIndex(fits)) + 1;
}

function changeRow(lines: Line[], number: number, row: Record<string, unknown>): void {
  const line = lines[number - 1];
  if (line === undefined) throw new Error(`There is no line ${number}.`);
  line.row = { ...line.row, ...row };
}

const UNKNOWN = "00000000-0000-7000-8000-000000000000";

/** Changes of the lines of an export, and the expected messages of the command. */
const MISTAKES: [string, (lines: Line[]) => [(Line | string)[], RegExp]][] = [
  ["an empty file", () => [[], /line 1: not a page-service export/]],
  ["something else", () => [['{"name":"x"}'], /line 1: not a page-service export/]],
  [
    "a newer format",
    ([first, ...rest]) => [
      [{ ...first, version: 2, program: "9.9.0" }, ...rest],
      /line 1: .*version 2.*9\.9\.0 or later/,
    ],
  ],
  [
    "a format before the first one",
    ([first, ...rest]) => [[{ ...first, version: 0 }, ...rest], /line 1: .*version 0 of the format/],
  ],
  [
    "a newer format with another header",
    ([first, ...rest]) => [
      [{ ...first, version: 2, program: "9.9.0", scope: "region" }, ...rest],
      /line 1: .*version 2.*9\.9\.0 or later/,
    ],
  ],
  [
    "an unknown scope",
    ([first, ...rest]) => [[{ ...first, scope: "region" }, ...rest], /line 1: .* no schema or scope/],
  ],
  [
    "tables of another version",
    ([first, ...rest]) => [
      [{ ...first, schema: "9999-later", program: "9.9.0" }, ...rest],
      /line 1: .*different version.*9999-later.*page-service 9\.9\.0/,
    ],
  ],
  ...["version", "program", "schema", "scope"].map((name): (typeof MISTAKES)[number] => [
    `a header without its ${name}`,
    ([first, ...rest]) => [
      [{ ...first, [name]: undefined }, ...rest],
      /line 1: the header (must have a version and a program|line has no schema or scope)/,
    ],
  ]),
  ["no header", ([, ...rest]) => [rest, /line 1: not a page-service export/]],
  [
    "a missing end",
    (lines) => [lines.slice(0, -1), /line (\d+): the file is incomplete: it ends without its last line/],
  ],
  [
    "only a header",
    (lines) => [lines.slice(0, 1), /line 1: the file is incomplete: it ends without its last line/],
  ],
  [
    "a missing line",
    (lines) => [
      lines.toSpliced(findLine(lines, "comments") - 1, 1),
      /the file is incomplete: it has \d+ rows of "comments"/,
    ],
  ],
  ["a line after the end", (lines) => [[...lines, {}], /unexpected line after the last line/]],
  [
    "an incomplete line",
    (lines) => [
      [...lines.slice(0, 20), '{"table":"pages","row":{"id":'],
      /line 21: this is not valid JSON. The file is incomplete/,
    ],
  ],
  [
    "an unknown table",
    (lines) => [lines.toSpliced(3, 0, { table: "sessions", row: {} }), /line 4: unknown table "sessions"/],
  ],
  [
    "an unknown column",
    (lines) => {
      const number = findLine(lines, "pages");
      changeRow(lines, number, { colour: "red" });
      return [lines, new RegExp(`line ${number}: a row of "pages": unknown column "colour"`)];
    },
  ],
  [
    "a missing column",
    (lines) => {
      const number = findLine(lines, "pages");
      delete lines[number - 1]?.row?.properties;
      return [lines, new RegExp(`line ${number}: a row of "pages": "properties" is missing`)];
    },
  ],
  [
    "a value of the wrong type",
    (lines) => {
      const number = findLine(lines, "blocks", "last");
      changeRow(lines, number, { version: 0.5 });
      return [lines, new RegExp(`line ${number}: a row of "blocks": "version" must be an integer`)];
    },
  ],
  [
    "a NUL",
    (lines) => {
      const number = findLine(lines, "users");
      changeRow(lines, number, { name: "a\0b" });
      return [
        lines,
        new RegExp(`line ${number}: a row of "users": "name" must be a string without U\\+0000`),
      ];
    },
  ],
  [
    "a number beyond the range",
    (lines) => {
      const number = findLine(lines, "property_values");
      const text = JSON.stringify(lines[number - 1]).replace(/"number_key":[^,]+/, '"number_key":1e999');
      return [
        [...lines.slice(0, number - 1), text, ...lines.slice(number)],
        new RegExp(`line ${number}: a row of "property_values": "number_key" must be a number or null`),
      ];
    },
  ],
  [
    "a duplicate row",
    (lines) => {
      const number = findLine(lines, "blocks");
      return [
        lines.toSpliced(number, 0, lines[number - 1] ?? {}),
        new RegExp(`lines ${number} to \\d+: a row of "blocks" cannot be added: .*unique`, "i"),
      ];
    },
  ],
  [
    "an unknown workspace",
    (lines) => {
      const number = findLine(lines, "users");
      changeRow(lines, number, { workspace_id: UNKNOWN });
      return [lines, new RegExp(`line ${number}: the workspace "${UNKNOWN}" is not in the file`)];
    },
  ],
  [
    "a page without its database",
    (lines) => {
      const number = findLine(lines, "pages", "last");
      changeRow(lines, number, { parent_type: "database_id", parent_id: UNKNOWN });
      return [
        lines,
        new RegExp(`"parent_id" of a row of "pages" is "${UNKNOWN}", which is not in "databases"`),
      ];
    },
  ],
  [
    "a value without its page",
    (lines) => {
      const number = findLine(lines, "property_values", "last");
      changeRow(lines, number, { page_id: "ffffffff-0000-7000-8000-000000000000" });
      return [
        lines,
        new RegExp(`lines \\d+ to ${number}: a row of "property_values" cannot be added: .*foreign key`, "i"),
      ];
    },
  ],
  [
    "a member without an account",
    (lines) => {
      const number = findLine(lines, "members");
      changeRow(lines, number, { account_id: UNKNOWN });
      return [
        lines,
        new RegExp(`lines ${number} to \\d+: a row of "members" cannot be added: .*foreign key`, "i"),
      ];
    },
  ],
  [
    "two keys with the same text",
    (lines) => {
      const number = findLine(lines, "api_keys");
      changeRow(lines, number + 1, { hash: lines[number - 1]?.row?.hash });
      return [
        lines,
        new RegExp(`lines ${number} to \\d+: a row of "api_keys" cannot be added: .*unique`, "i"),
      ];
    },
  ],
];

describe.each(kinds)("into %s", (_, newLocation) => {
  test("incomplete and invalid files are refused with the reason, and nothing is imported", async () => {
    const location = await newLocation();
    for (const [what, spoil] of MISTAKES) {
      const [lines, expected] = spoil(await parseExport());
      const importing = importDatabase(location, createReadStream(writeLines(lines)));
      const error: unknown = await importing.catch((cause: unknown) => cause);
      expect([what, error]).toEqual([what, expect.any(UserError)]);
      expect([what, String(error)]).toEqual([what, expect.stringMatching(expected)]);
    }
    const cut = await runOn(location, ["import", "--input", writeLines((await parseExport()).slice(0, 9))]);
    expect([cut.code, cut.stderr]).toEqual([
      2,
      expect.stringMatching(/^page-service: line 9: .*incomplete.*\n$/),
    ]);
    // The failed imports were rolled back, so the database is empty.
    const { stdout } = await runOn(location, ["import", "--input", writeLines(await parseExport())]);
    expect(stdout).toMatch(/^Imported 2 workspaces/);
    expect(await exportDatabase(location)).toBe(await getExport());
  });

  test("a complete service is imported only into an empty database", async () => {
    const file = writeLines(await parseExport());
    const addWorkspace = (location: string) =>
      runOn(location, ["keys", "create", "--workspace", "There", "--create-workspace"]);
    const addAccount = async (location: string) => {
      const store = await openStore(location);
      await createAccount(store, "Ada");
      await store.close();
    };
    for (const fill of [addWorkspace, addAccount]) {
      const location = await newLocation();
      await fill(location);
      const before = await exportDatabase(location);
      const { code, stderr } = await runOn(location, ["import", "--input", file]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/not empty.*DATABASE_URL or DATA_DIR/)]);
      expect(await exportDatabase(location)).toBe(before);
    }
  });

  test("a workspace whose name or members' addresses are in use is refused", async () => {
    const location = createSqliteLocation();
    const running = await startService({ database: location });
    await fillService(running);
    await running.service.close();
    const file = writeLines([(await exportDatabase(location, ["--workspace", "Test"])).trimEnd()]);

    const named = await newLocation();
    await runOn(named, ["keys", "create", "--workspace", "Test", "--create-workspace"]);
    const refused = await runOn(named, ["import", "--input", file]);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/line 2: another workspace has this name: "Test"/),
    });

    const addressed = await newLocation();
    const service = await createPageService({ database: addressed });
    await service.store.writeServiceWide(async (tx) => {
      const account = {
        id: UNKNOWN,
        email: "ada@example.org",
        name: "Ada",
        password_hash: "",
        created_time: 0,
      };
      await tx.insertInto("accounts").values(account).execute();
    });
    await service.close();
    const taken = await runOn(addressed, ["import", "--input", file]);
    expect(taken).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /line 3: another account has this address: "ada@example\.org"\. Remove this member before the export, and invite the person after/,
      ),
    });
  });

  test("missing, empty and newer databases are not exported", async () => {
    const location = await newLocation();
    const missing = await runOn(location, ["export"]);
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toMatch(/There is no database at|The database has no tables/);
    expect(existsSync(location)).toBe(false);
    const { stdout } = await runOn(location, ["keys", "create", "--workspace", "There", "--json"]);
    const { workspace_id: id }: { workspace_id: string } = JSON.parse(stdout);
    const beside = await openSecondConnection(location);
    // As while the workspace is deleted or imported.
    await beside("UPDATE workspaces SET name = id");
    for (const name of ["Nobody", id]) {
      const unknown = await runOn(location, ["export", "--workspace", name]);
      const stderr = expect.stringContaining(`no workspace "${name}"`);
      expect(unknown).toMatchObject({ code: 2, stdout: "", stderr });
    }
    await beside("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01T00:00:00.000Z')");
    for (const args of [["export"], ["import", "--input", writeLines(await parseExport())]]) {
      const { code, stderr } = await runOn(location, args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/newer version .*9999-later/)]);
    }
  });
});

test("an export file is written atomically and readable only by its owner", async () => {
  const location = createSqliteLocation();
  await runOn(location, ["keys", "create", "--workspace", "There", "--create-workspace"]);
  const folder = createTemporaryFolder();
  const output = path.join(folder, "backup.jsonl");
  expect(await runOn(location, ["export", "--output", output])).toMatchObject({
    code: 0,
    stdout: `Exported 5 rows to ${output}.\n`,
    stderr: "",
  });
  const text = readFileSync(output, "utf8");
  expect(text).toBe(await exportDatabase(location));
  expect(statSync(output).mode & 0o777).toBe(0o600);
  const failed = await runOn(location, ["export", "--output", output, "--workspace", "Nobody"]);
  expect(failed.code).toBe(2);
  expect(readFileSync(output, "utf8")).toBe(text);
  expect(readdirSync(folder)).toEqual(["backup.jsonl"]);
  const nowhere = await runOn(location, ["export", "--output", path.join(folder, "no/such/folder")]);
  expect(nowhere).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^page-service: Cannot open .*\/no\/such\/folder: no such file or directory\.\n$/,
    ),
  });
  const missing = await runOn(location, ["import", "--input", path.join(folder, "missing")]);
  expect(missing).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^page-service: Cannot open .*\/missing: no such file or directory\.\n$/),
  });
});

test("an export replaces neither a pipe nor a symbolic link, but the target of the link", async () => {
  const location = createSqliteLocation();
  await runOn(location, ["keys", "create", "--workspace", "There", "--create-workspace"]);
  const folder = createTemporaryFolder();
  const pipe = path.join(folder, "pipe");
  const link = path.join(folder, "link");
  const target = path.join(folder, "target");
  execFileSync("mkfifo", [pipe]);
  expect(await runOn(location, ["export", "--output", pipe])).toMatchObject({
    code: 2,
    stderr: `page-service: ${pipe} is not a file. Omit --output to write to standard output.\n`,
  });
  writeFileSync(target, "");
  symlinkSync(target, link);
  expect(await runOn(location, ["export", "--output", link])).toMatchObject({ code: 0, stderr: "" });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, "utf8")).toBe(await exportDatabase(location));
});

test("an import that would wait for the keyboard is refused", async () => {
  // The cast: the command reads nothing else of the terminal.
  const stdin = vi.spyOn(process, "stdin", "get").mockReturnValue({ isTTY: true } as never);
  onTestFinished(() => stdin.mockRestore());
  expect(await runOn(createSqliteLocation(), ["import"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "page-service: import reads standard input. Redirect an export to it, or add --input FILE.\n",
  });
});

test("a refused import closes its file", async () => {
  let isClosed = false;
  const read = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from("{}\n");
    } finally {
      isClosed = true;
    }
  };
  await expect(importDatabase(createSqliteLocation(), read())).rejects.toThrow(UserError);
  expect(isClosed).toBe(true);
});

test("exports work through pipes and gzip; a closed pipe and a compressed file are reported in one line", async () => {
  const [from, to] = [createSqliteLocation(), createSqliteLocation()];
  await runOn(from, ["keys", "create", "--workspace", "There", "--create-workspace"]);
  const shell = (line: string): Promise<{ code: number | null; stderr: string }> =>
    new Promise((resolve) => {
      const child = spawn(
        "bash",
        [
          "--norc",
          "-o",
          "pipefail",
          "-c",
          line.replace(/page-service (?=export|import)/g, "node dist/src/cli.js "),
        ],
        { env: { PATH: process.env.PATH } },
      );
      let stderr = "";
      child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
      child.on("close", (code) => resolve({ code, stderr }));
    });
  const [source, target] = [from, to].map(
    (location) => `DATA_DIR=${createEnvironment(location).DATA_DIR ?? ""}`,
  );
  const piped = await shell(`${source} page-service export | gzip | gunzip | ${target} page-service import`);
  expect(piped).toEqual({ code: 0, stderr: "" });
  expect(await exportDatabase(to)).toBe(await exportDatabase(from));
  const closed = await shell(`${source} page-service export | true`);
  expect(closed.stderr).toMatch(/^(page-service: Standard output was closed.*\n)?$/);

  const packed = path.join(createTemporaryFolder(), "backup.jsonl.gz");
  writeFileSync(packed, gzipSync(await exportDatabase(from)));
  const refused = await runOn(createSqliteLocation(), ["import", "--input", packed]);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/line 1: the file is compressed with gzip\. .*gunzip/),
  });
});
