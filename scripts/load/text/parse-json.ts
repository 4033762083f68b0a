import { tryParseJson } from "../../json.js";

/** Parses JSON four times as fast as YAML; undefined for a syntax error or a duplicate key, which the YAML parser locates. */
export function parseJson(text: string): unknown {
  const parsed = tryParseJson(text);
  return parsed !== undefined && countKeys(text) === countMembers(parsed) ? parsed : undefined;
}

/** Counts the strings that a colon follows in valid JSON: the keys of all objects, including duplicate ones. */
function countKeys(text: string): number {
  let count = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isInString = !isInString;
    else if (character === "\\") index += 1;
    else if (character === ":" && !isInString) count += 1;
  }
  return count;
}

function countMembers(root: unknown): number {
  let count = 0;
  const pending: unknown[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node !== "object" || node === null) continue;
    const values: unknown[] = Array.isArray(node) ? node : Object.values(node);
    if (!Array.isArray(node)) count += values.length;
    for (const value of values) if (typeof value === "object" && value !== null) pending.push(value);
  }
  return count;
}
