import { createValidationError } from "../errors.js";
import type { DefinitionOf, Option } from "../schema.js";
import { checkOptionName, OptionList } from "./options.js";
import type { OptionInput } from "./schema-input.js";

/**
 * Applies the options of a request to a property: named options stay, omitted ones are removed, and new ones are appended.
 *
 * @param inputs undefined to keep all options
 * @throws DomainError (validation) for an invalid or repeated name, or a different color for an existing option
 */
export function mergeOptions(
  existing: readonly Option[],
  inputs: readonly OptionInput[] | undefined,
): readonly Option[] {
  if (inputs === undefined) return existing;
  const list = new OptionList(existing);
  const kept = new Set<string>();
  for (const input of inputs) {
    const known =
      (input.id === undefined ? undefined : list.findById(input.id)) ??
      (input.name === undefined ? undefined : list.findByName(input.name));
    const option = known ?? addOption(list, input);
    if (kept.has(option.id)) {
      throw createValidationError(`Invalid select option, ${option.name} is there twice.`);
    }
    kept.add(option.id);
    if (known !== undefined) refuseChange(known, input);
  }
  return list.options.filter((option) => kept.has(option.id));
}

function addOption(list: OptionList, { id, name, color, description }: OptionInput): Option {
  if (name === undefined) {
    throw createValidationError(
      `Invalid select option, there is none with the id ${JSON.stringify(id)}; a new one needs a name.`,
    );
  }
  checkOptionName(name);
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

/**
 * Creates the options and groups of a new status property.
 *
 * @param others options of the property before it became a status; they join the group "To-do"
 */
export function createStatusConfig(
  others: readonly Option[],
): Pick<DefinitionOf<"status">, "options" | "groups"> {
  const list = new OptionList(others);
  const findOrAdd = (name: string, color: Option["color"]): string =>
    (list.findByName(name) ?? list.add(name, color)).id;
  const defaults = [
    ["To-do", "gray", findOrAdd("Not started", "default")],
    ["In progress", "blue", findOrAdd("In progress", "blue")],
    ["Complete", "green", findOrAdd("Done", "green")],
  ] as const;
  const taken = new Set<string>(defaults.map(([, , id]) => id));
  const rest = others.filter((option) => !taken.has(option.id)).map((option) => option.id);
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

/**
 * Refuses changes of the options of a status property, which the API cannot make.
 *
 * @throws DomainError (validation) unless the request names exactly the existing options
 */
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
    `${name} is a status. Its options and groups cannot be set through the API: leave them out.`,
  );
}
