import { readFileSync } from "node:fs";
import path from "node:path";
import { parseYaml } from "@redocly/openapi-core";

/** The declarations of a document, one per line, so that each difference is a different line. */
export type Inventory = string[];

type Json = Record<string, unknown>;
/** A part of a document, and its file. */
interface Part {
  value: Json;
  file: string;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/** Header parameters that OpenAPI ignores. */
const IGNORED = ["accept", "content-type", "authorization"];

/** Lists what the files of a document declare. It shares no code with the generator. */
export function createInventory(root: string): Inventory {
  const files = new Map<string, Json>();
  const read = (file: string): Json => {
    const known = files.get(file);
    if (known) return known;
    // The cast: documents are objects.
    const parsed = parseYaml(readFileSync(file, "utf8")) as Json;
    files.set(file, parsed);
    return parsed;
  };
  const follow = ({ value, file }: Part): Part => {
    const { $ref } = value;
    if (typeof $ref !== "string") return { value, file };
    const [uri = "", pointer = ""] = $ref.split("#");
    const target = uri === "" ? file : path.resolve(path.dirname(file), uri);
    let found: Json = read(target);
    for (const key of pointer.split("/").slice(1)) {
      const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
      found = found[name] as Json;
      if (typeof found === "object" && "$ref" in found && key !== pointer.split("/").at(-1)) {
        ({ value: found } = follow({ value: found, file: target }));
      }
    }
    return follow({ value: found, file: target });
  };
  const members = ({ value, file }: Part, key: string): [name: string, part: Part][] =>
    Object.entries((value[key] ?? {}) as Json)
      .filter(([name, member]) => !name.startsWith("x-") && typeof member === "object" && member !== null)
      .map(([name, member]) => [name, follow({ value: member as Json, file })]);

  const lines: Inventory = [];
  const operation = (name: string, part: Part, shared: [string, Part][]): void => {
    lines.push(name);
    const parameters = new Map(
      [...shared, ...members(part, "parameters")].map(([, { value }]) => [
        `${value.in} ${value.name}`,
        value,
      ]),
    );
    // Path parameters are the names in the template: the generator warns about others and about missing ones.
    const template = [...name.matchAll(/\{([^}]*)\}/g)].map(([, parameter]) => parameter);
    for (const parameter of new Set(template)) lines.push(`${name} parameter path ${parameter}`);
    for (const [key, value] of parameters) {
      if (value.in === "path") continue;
      const ignored = value.in === "header" && IGNORED.includes(String(value.name).toLowerCase());
      if (!ignored) lines.push(`${name} parameter ${key}`);
    }
    const body = part.value.requestBody;
    if (body) {
      const content = follow({ value: body as Json, file: part.file });
      for (const [type] of members(content, "content")) lines.push(`${name} body ${type}`);
    }
    for (const [status, response] of members(part, "responses")) {
      lines.push(`${name} response ${status}`);
      for (const [type] of members(response, "content")) lines.push(`${name} response ${status} ${type}`);
      for (const [header] of members(response, "headers")) {
        if (header.toLowerCase() !== "content-type")
          lines.push(`${name} response ${status} header ${header}`);
      }
    }
    for (const [callback, paths] of members(part, "callbacks")) {
      for (const expression of Object.keys(paths.value))
        lines.push(`${name} callback ${callback} ${expression}`);
    }
  };
  const document: Part = { value: read(root), file: root };
  for (const [template, item] of members(document, "paths")) {
    const shared = members(item, "parameters");
    for (const method of METHODS) {
      const value = item.value[method];
      if (value)
        operation(`${method} ${template}`, follow({ value: value as Json, file: item.file }), shared);
    }
  }
  for (const [name] of members(document, "webhooks")) lines.push(`webhook ${name}`);
  return lines.sort();
}
