/** Output of `npm pack --json` for a package. */
export interface Packed {
  name: string;
  size: number;
  unpackedSize: number;
  files: readonly { path: string; size: number }[];
}

/** Lists the contents of a package, with the modules of a folder on one line. */
export function describePackage({ size, unpackedSize, files }: Omit<Packed, "name">): string[] {
  const entries = new Map<string, { files: number; size: number }>();
  for (const file of files) {
    const folder = /^dist\/.*\.(?:js|d\.ts)$/.test(file.path) ? file.path.split("/").slice(0, -1) : undefined;
    const name = folder ? `${folder.slice(0, 3).join("/")}/` : file.path;
    const entry = entries.get(name) ?? { files: 0, size: 0 };
    entries.set(name, { files: entry.files + 1, size: entry.size + file.size });
  }
  const lines = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    ...lines.map(
      ([name, entry]) =>
        `${formatKilobytes(entry.size).padStart(10)}  ${name}${name.endsWith("/") ? `  ${entry.files} modules and declarations` : ""}`,
    ),
    `${formatKilobytes(unpackedSize).padStart(10)}  in ${files.length} files, ${formatKilobytes(size)} packed`,
  ];
}

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
