import type { Schemas } from "../api-schemas.js";
import { createValidationError } from "../errors.js";
import { getOrCreate } from "../../get-or-create.js";
import { getIds, indexById } from "../../lists.js";
import { newPropertyId } from "../ids.js";
import { isObject } from "../is-object.js";
import { abbreviate } from "../text.js";
import type { Option, OptionColor, DefinitionOf } from "../schema.js";

type OptionInput = Schemas["OptionInput"];

/** Colors of options, in the order in which new options without a color get them. */
export const OPTION_COLORS: readonly OptionColor[] = [
  "default",
  "gray",
  "brown",
  "orange",
  "yellow",
  "green",
  "blue",
  "purple",
  "pink",
  "red",
];

export const MAX_OPTION_NAME_LENGTH = 100;

/** Options that an error message lists. A status can have thousands. */
const MAX_LISTED_OPTIONS = 20;

const optionsById = new WeakMap<readonly Option[], ReadonlyMap<string, Option>>();

/** Finds an option by its id. Indexes each list once, because one response can contain a million options of long lists. */
export function findOption(options: readonly Option[], id: string): Option | undefined {
  return getOrCreate(optionsById, options, indexById).get(id);
}

/** The options of a property, to find options by id or name and to add new ones. */
export class OptionList {
  #options: readonly Option[];
  readonly #byId: Map<string, Option>;
  readonly #byName: Map<string, Option>;

  constructor(options: readonly Option[]) {
    this.#options = options;
    this.#byId = indexById(options);
    this.#byName = new Map(options.map((option) => [option.name, option]));
  }

  /** Options in the order of their ranks. */
  get options(): readonly Option[] {
    return this.#options;
  }

  /** Finds the option with an id or, if no option has it, with a name. No option has an empty id or name. */
  find({ id = "", name = "" }: { readonly id?: string; readonly name?: string | null }): Option | undefined {
    return this.#byId.get(id) ?? this.#byName.get(name ?? "");
  }

  /** Appends an option, whose name must be new. Throws a DomainError (validation) for an invalid name. */
  add(name: string, color?: OptionColor, description: string | null = null): Option {
    checkOptionName(name);
    const rank = (this.#options.at(-1)?.rank ?? -1) + 1;
    const id = newPropertyId(this.#byId);
    const defaultColor = OPTION_COLORS[rank % OPTION_COLORS.length] ?? "default";
    const option = { id, name, color: color ?? defaultColor, description, rank };
    // A new list, because findOption has indexed the old one.
    this.#options = [...this.#options, option];
    this.#byId.set(id, option);
    this.#byName.set(name, option);
    return option;
  }
}

/**
 * Parses an option of a request: finds it by its id or name, or adds it if `canAdd` allows that. Ignores an unknown id next to a
 * name, because clients copy options from other databases. Returns undefined for an input that is not an option. Throws a
 * DomainError (validation) for an unknown option or an invalid name.
 *
 * @param subject name of the property for an error message
 */
export function parseOption(
  input: unknown,
  subject: string,
  list: OptionList,
  canAdd: boolean,
): Option | undefined {
  if (!isObject(input)) return undefined;
  // Safe cast: all objects in property values have these fields with the same types, except that a name can be null, see
  // PropertyElementInput.
  const { id, name, color, description } = input as OptionInput;
  const existing = list.find({ id, name });
  if (existing !== undefined) return existing;
  if (typeof name !== "string") {
    if (id === undefined) return undefined;
    throw createValidationError(
      `${subject}: there is no option with the id ${abbreviate(JSON.stringify(id))}.`,
    );
  }
  if (!canAdd) {
    const names = list.options.slice(0, MAX_LISTED_OPTIONS).map((option) => option.name);
    const more = list.options.length - names.length;
    if (more > 0) names.push(`and ${more} more`);
    throw createValidationError(
      `${subject}: there is no option named ${abbreviate(name)}. The options are: ${names.join(", ")}.`,
    );
  }
  return list.add(name, color, description ?? null);
}

/** Checks the name of a new option. Throws a DomainError (validation). */
function checkOptionName(name: string): void {
  const refuse = (reason: string): never => {
    throw createValidationError(`Invalid select option, ${reason}`);
  };
  if (name.trim() === "") refuse("the name must not be empty.");
  if (name.length > MAX_OPTION_NAME_LENGTH)
    refuse(`the name has more than ${MAX_OPTION_NAME_LENGTH} characters.`);
  if (name.includes(",")) refuse(`commas not allowed: ${name}`);
}

/**
 * Applies the option list of a schema change: removes options that the request omits, and appends new ones. Throws a DomainError
 * (validation) for an invalid or repeated name, or when the request renames or recolors an option, as in Notion's API.
 */
export function mergeOptions(
  existing: readonly Option[],
  inputs: readonly OptionInput[] | undefined,
): readonly Option[] {
  if (inputs === undefined) return existing;
  const list = new OptionList(existing);
  const requestedIds = new Set<string>();
  for (const input of inputs) {
    const found = list.find(input);
    const option = found ?? addOption(list, input);
    if (requestedIds.has(option.id)) {
      throw createValidationError(`Invalid select option, ${option.name} appears twice. Remove one.`);
    }
    requestedIds.add(option.id);
    if (found !== undefined) refuseChange(found, input);
  }
  return list.options.filter((option) => requestedIds.has(option.id));
}

function addOption(list: OptionList, { id, name, color, description }: OptionInput): Option {
  if (name === undefined) {
    throw createValidationError(
      `Invalid select option, no option has the id ${JSON.stringify(id)}. Give a new option a name.`,
    );
  }
  return list.add(name, color, description ?? null);
}

function refuseChange(option: Option, { name, color }: OptionInput): void {
  if (color !== undefined && color !== option.color) {
    throw createValidationError(`Cannot update color of select with name: ${option.name}.`);
  }
  if (name !== undefined && name !== option.name) {
    throw createValidationError(`Cannot update name of select with name: ${option.name}.`);
  }
}

/** Creates the options and groups of a new status property. Options of the property's previous type join the group "To-do". */
export function createStatusConfig(
  previousOptions: readonly Option[],
): Pick<DefinitionOf<"status">, "options" | "groups"> {
  const list = new OptionList(previousOptions);
  const findOrAdd = (name: string, color: Option["color"]): string =>
    (list.find({ name }) ?? list.add(name, color)).id;
  const defaults = [
    ["To-do", "gray", findOrAdd("Not started", "default")],
    ["In progress", "blue", findOrAdd("In progress", "blue")],
    ["Complete", "green", findOrAdd("Done", "green")],
  ] as const;
  const taken = new Set<string>(defaults.map(([, , id]) => id));
  const rest = getIds(previousOptions.filter((option) => !taken.has(option.id)));
  return {
    options: list.options,
    groups: defaults.map(([name, color, id], index) => ({
      id: name.toLowerCase().replace(" ", "-"),
      name,
      color,
      optionIds: index === 0 ? [id, ...rest] : [id],
    })),
  };
}

/** Throws a DomainError (validation) when a request changes the options of a status, which Notion's API does not support. */
export function refuseStatusChange(
  name: string,
  existing: readonly Option[],
  inputs: readonly OptionInput[] | undefined,
): void {
  if (inputs === undefined || inputs.length === 0) return;
  const names = new Set(existing.map((option) => option.name));
  const same = inputs.length === names.size && inputs.every((input) => names.has(input.name ?? ""));
  if (same) return;
  throw createValidationError(
    `${abbreviate(name)} is a status. The API cannot set its options and groups. Omit them.`,
  );
}
