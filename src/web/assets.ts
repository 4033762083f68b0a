import { readFileSync } from "node:fs";
import type { Answer } from "./answer.js";

const TYPES: Readonly<Record<string, string>> = {
  "app.css": "text/css; charset=utf-8",
  "app.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** The files that pages load, by path; they are read once. */
export function loadAssets(): ReadonlyMap<string, Answer> {
  return new Map(
    Object.entries(TYPES).map(([name, type]) => [
      `/assets/${name}`,
      {
        status: 200,
        headers: { "Content-Type": type, "Cache-Control": "no-cache" },
        body: readFileSync(new URL(`assets/${name}`, import.meta.url)),
      },
    ]),
  );
}
