import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { PROJECT } from "../../support/api-document.js";

/** A code block in a guide. */
export interface Snippet {
  /** Name of the guide without `.md`. */
  guide: string;
  line: number;
  language: string;
  code: string;
  /** Comment before the code: `body: OPERATION` or `answer: OPERATION STATUS`. */
  note: string | undefined;
}

const FOLDER = path.join(PROJECT, "spec/guides");

/** The texts of the guides by name. */
export const guides: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER).map((file) => [path.parse(file).name, readFileSync(path.join(FOLDER, file), "utf8")]),
);

/** Every code block in the guides. */
export const snippets: readonly Snippet[] = [...guides].flatMap(([guide, text]) =>
  [...text.matchAll(/(?:<!-- (.*?) -->\n\n)?^```(.*)\n([^]*?)^```$/gm)].map(
    ({ 1: note, 2: language = "", 3: code = "", index }) => ({
      guide,
      line: text.slice(0, index).split("\n").length,
      language,
      code,
      note,
    }),
  ),
);
