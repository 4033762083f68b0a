import { groupBy } from "../../maps.js";
import { compareText } from "../../text.js";

/** A package as `npm pack --json` describes it, with sizes in bytes. */
export interface PackedPackage {
  /** Its folder, relative to the checkout. */
  folder: string;
  name: string;
  size: number;
  unpackedSize: number;
  files: readonly { path: string; size: number }[];
}

/** Number of folders that name a group of modules, e.g. `dist/scripts/emit/`. */
const GROUP_DEPTH = 3;

/** Lists the contents of a package, with the modules of a folder on one line. */
export function describePackage({
  size,
  unpackedSize,
  files,
}: Pick<PackedPackage, "size" | "unpackedSize" | "files">): string[] {
  const groups = groupBy(files, ({ path }) => {
    const folders = path.split("/").slice(0, -1);
    const isModule = /^dist\/.*\.(?:js|d\.ts)$/.test(path);
    return isModule ? `${folders.slice(0, GROUP_DEPTH).join("/")}/` : path;
  });
  const rows = [...groups].sort(([one], [other]) => compareText(one, other));
  return [
    ...rows.map(([name, members]) => {
      const bytes = members.reduce((sum, member) => sum + member.size, 0);
      const count = name.endsWith("/") ? `  ${members.length} modules and declarations` : "";
      return `${formatKilobytes(bytes)}  ${name}${count}`;
    }),
    `${formatKilobytes(unpackedSize)}  in ${files.length} files, ${formatKilobytes(size).trim()} packed`,
  ];
}

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(10);
}
