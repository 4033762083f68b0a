/** Output of `npm pack --json` for a package. */
export interface Packed {
  name: string;
  size: number;
  unpackedSize: number;
  files: readonly { path: string; size: number }[];
}

/** Lines that tell what is in a package: each file by itself, but modules as the folder that they are in. */
export function describePackage({ size, unpackedSize, files }: Omit<Packed, "name">): string[] {
  const rooms = new Map<string, { files: number; size: number }>();
  for (const file of files) {
    const folder = /^dist\/.*\.(?:js|d\.ts)$/.test(file.path) ? file.path.split("/").slice(0, -1) : undefined;
    const name = folder ? `${folder.slice(0, 3).join("/")}/` : file.path;
    const room = rooms.get(name) ?? { files: 0, size: 0 };
    rooms.set(name, { files: room.files + 1, size: room.size + file.size });
  }
  const lines = [...rooms].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    ...lines.map(
      ([name, room]) =>
        `${kilobytes(room.size).padStart(10)}  ${name}${name.endsWith("/") ? `  ${room.files} modules and declarations` : ""}`,
    ),
    `${kilobytes(unpackedSize).padStart(10)}  in ${files.length} files, ${kilobytes(size)} packed`,
  ];
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
