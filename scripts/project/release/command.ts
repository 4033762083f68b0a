import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { DiagnosticError } from "../../diagnostic.js";
import { type Bump, compareBumps, getLargestBump } from "../diff/change.js";
import { compareDocuments } from "../diff/compare.js";
import { resolveDocument } from "../diff/revision.js";
import { type ChangelogEntry, findNewestEntry, setReleaseDate } from "./changelog.js";
import { runGit } from "../git.js";
import { getBump, getRequiredBump, readVersion } from "./version.js";
import { runCommand } from "../run-command.js";

const CHANGELOG = ".github/CHANGELOG.md";
const DOCUMENT = "spec/openapi.yaml";

/** Folders of the packages: the project itself, and packages that its build assembles. */
const PACKAGES = [".", "./dist/client-package", "./dist/openapi-compiler"];

const HELP = `Creates the commit and the tag of a release if all checks pass. Publishes nothing.

  npm run release -- --dry-run   shows the release and its problems without committing or tagging
  npm run release

The version is taken from the newest entry in ${CHANGELOG}, which must begin with "## [VERSION] - unreleased".

Exit codes: 0 success; 1 a check failed; 2 invalid arguments, or git or npm failed.
`;

/** The release to be made, and the problems that prevent it. */
type Release = Awaited<ReturnType<typeof checkRelease>>;

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { "dry-run": { type: "boolean", default: false } } });
  const release = await checkRelease();
  console.log(describeRelease(release).join("\n"));
  const { entry, problems } = release;
  if (entry === undefined || problems.length > 0) {
    console.error(["\nThe release has problems:", ...problems.map((problem) => `  ${problem}`)].join("\n"));
    return 1;
  }
  if (values["dry-run"]) {
    console.log("\nAll checks passed. Nothing was committed or tagged: this was a dry run.");
    return 0;
  }
  commitAndTag(release, entry.version);
  return 0;
}

/** Builds the packages and runs all checks, so that all problems are reported at once. */
async function checkRelease() {
  const problems: string[] = [];
  const changed = git("status", "--porcelain").trim();
  if (changed !== "") problems.push(`uncommitted changes: ${changed.split(/\s*\n\s*/).join(", ")}`);

  const entry = findNewestEntry(readFileSync(CHANGELOG, "utf8"));
  const tags = git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname").split("\n");
  const lastVersion = tags.map((tag) => tag.slice(1)).find((version) => readVersion(version) !== undefined);
  problems.push(...findEntryProblems(entry, lastVersion));

  const rating = lastVersion === undefined ? "none" : await rateChangesSince(lastVersion);
  problems.push(...findBumpProblems(entry, lastVersion, rating));

  const check = npm("run", "--silent", "check");
  // The last lines usually name the problem.
  const lastLines = check.text.trim().split("\n").slice(-8).join("\n    ");
  if (check.status !== 0) problems.push(`\`npm run check\` fails: ${lastLines}`);
  return { entry, lastVersion, rating, packages: buildPackages(problems), problems };
}

function findEntryProblems(entry: ChangelogEntry | undefined, lastVersion: string | undefined): string[] {
  if (entry === undefined) return [`${CHANGELOG} has no entry "## [VERSION] - unreleased"`];
  const location = `${CHANGELOG}:${entry.line}`;
  const problems: string[] = [];
  if (readVersion(entry.version) === undefined)
    problems.push(`${location}: ${entry.version} is not a version like 1.2.3`);
  if (entry.date !== "unreleased")
    problems.push(
      `${location}: ${entry.version} is released already: begin with an entry "## [NEXT] - unreleased"`,
    );
  if (entry.isEmpty) problems.push(`${location}: the entry is empty`);
  // Safe cast: every package.json has a version.
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  if (version !== entry.version && version !== lastVersion)
    problems.push(
      `package.json has version ${version}, which is neither ${entry.version} nor the last release`,
    );
  return problems;
}

function findBumpProblems(
  entry: ChangelogEntry | undefined,
  lastVersion: string | undefined,
  rating: Bump,
): string[] {
  const next = readVersion(entry?.version ?? "");
  const from = readVersion(lastVersion ?? "");
  if (next === undefined || from === undefined) return [];
  const bump = getBump(from, next);
  if (bump === "none") return [`${next.join(".")} is not newer than the last release, ${lastVersion}`];
  const required = getRequiredBump(from, rating);
  if (compareBumps(bump, required) >= 0) return [];
  return [
    `the API's changes since ${lastVersion} are rated ${rating} and need a ${required} release, ${next.join(".")} is a ${bump} one: ` +
      `see npm run spec:diff -- v${lastVersion}:${DOCUMENT} ${DOCUMENT}`,
  ];
}

async function rateChangesSince(version: string): Promise<Bump> {
  const { file } = resolveDocument(`v${version}:${DOCUMENT}`);
  return getLargestBump(await compareDocuments(file, DOCUMENT));
}

/** Builds the packages as `npm publish` does, and describes their contents as npm prints them. Adds failures to the problems. */
function buildPackages(problems: string[]): { folder: string; description: string }[] {
  for (const script of ["prepack", "prepare"]) {
    const { status, text } = npm("run", "--silent", script);
    if (status !== 0) problems.push(`the package cannot be built: npm run ${script} fails: ${text.trim()}`);
  }
  return PACKAGES.filter((folder) => existsSync(`${folder}/package.json`)).flatMap((folder) => {
    const { status, text } = npm("pack", folder, "--dry-run", "--ignore-scripts");
    if (status !== 0) problems.push(`npm pack ${folder} fails: ${text.trim()}`);
    return status === 0 ? [{ folder, description: text.trim() }] : [];
  });
}

function describeRelease({ entry, lastVersion, rating, packages }: Release): string[] {
  const version = entry?.version ?? "without a version";
  return [
    `Release ${version}, ${lastVersion === undefined ? "the first" : `after ${lastVersion}`}`,
    `  API      ${lastVersion === undefined ? "no release to compare with" : `changes since ${lastVersion} are rated: ${rating}`}`,
    `  commit   CHANGELOG with today's date, package.json with ${version}`,
    `  tag      v${version}`,
    ...packages.map(({ description }) => description),
  ];
}

function commitAndTag({ packages }: Release, version: string): void {
  writeFileSync(
    CHANGELOG,
    setReleaseDate(readFileSync(CHANGELOG, "utf8"), new Date().toISOString().slice(0, 10)),
  );
  const set = npm("version", version, "--no-git-tag-version", "--allow-same-version", "--ignore-scripts");
  if (set.status !== 0) throw new DiagnosticError(`npm version failed: ${set.text.trim()}`);
  git("add", CHANGELOG, "package.json", "package-lock.json");
  git("commit", "--quiet", "--message", `Release ${version}`);
  git("tag", "--annotate", `v${version}`, "--message", `Release ${version}`);
  const publish = packages.map(({ folder }) => `  npm publish ${folder}`);
  console.log(
    `\nCommitted and tagged as v${version}. To publish it:\n\n  git push --follow-tags\n${publish.join("\n")}\n\n` +
      `To undo it: git tag --delete v${version} && git reset --keep HEAD~1`,
  );
}

function git(...args: string[]): string {
  return runGit(args).toString();
}

function npm(...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr, error } = spawnSync("npm", args, {
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  return { status, text: error?.message ?? stdout + stderr };
}

await runCommand(HELP, run);
