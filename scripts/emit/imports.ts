import { stringLiteral } from "../code/encode.js";
import { compareText } from "../diagnostic.js";

/** The imports of a generated file. Code that prints an imported name registers its import here. */
export class Imports {
  readonly #modules = new Map<string, Map<string, "type" | "value">>();
  readonly #namespaces = new Map<string, string>();

  /** Imports a type and returns its name in the file. */
  importType(module: string, name: string): string {
    const names = this.#namesOf(module);
    if (!names.has(name)) names.set(name, "type");
    return name;
  }

  /** Imports the types of a module as a namespace and returns its name in the file. */
  importTypeNamespace(module: string, name: string): string {
    this.#namespaces.set(module, name);
    return name;
  }

  /** Imports a value, which can also be used as a type, and returns its name in the file. */
  importValue(module: string, name: string): string {
    this.#namesOf(module).set(name, "value");
    return name;
  }

  /** The import declarations: modules in the order of their specifiers, packages first. */
  statements(): string[] {
    return [
      ...[...this.#modules].map(([module, names]) => ({ module, text: printImport(module, names) })),
      ...[...this.#namespaces].map(([module, name]) => ({
        module,
        text: `import type * as ${name} from ${stringLiteral(module)};`,
      })),
    ]
      .sort((one, other) => compareText(sortKey(one.module), sortKey(other.module)))
      .map(({ text }) => text);
  }

  #namesOf(module: string): Map<string, "type" | "value"> {
    const existing = this.#modules.get(module);
    if (existing) return existing;
    const names = new Map<string, "type" | "value">();
    this.#modules.set(module, names);
    return names;
  }
}

function printImport(module: string, names: ReadonlyMap<string, "type" | "value">): string {
  const sorted = [...names].sort(([one], [other]) => compareText(one, other));
  const typesOnly = sorted.every(([, kind]) => kind === "type");
  const specifiers = sorted.map(([name, kind]) => (kind === "type" && !typesOnly ? `type ${name}` : name));
  return `import ${typesOnly ? "type " : ""}{ ${specifiers.join(", ")} } from ${stringLiteral(module)};`;
}

function sortKey(module: string): string {
  return module.startsWith("./") ? `2${module}` : module.startsWith("../") ? `1${module}` : `0${module}`;
}
