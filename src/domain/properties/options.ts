import { newPropertyId } from "../ids.js";
import type { Hue } from "../rich-text.js";
import type { Option } from "../schema.js";
import { isObject, Refusal } from "./refusal.js";

/** The colours of options; those that come without one get them in turn. */
export const HUES: readonly Hue[] = [
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

/** Longest name of an option. */
export const MAX_OPTION_NAME = 100;

function isHue(value: unknown): value is Hue {
  return HUES.some((hue) => hue === value);
}

/** The options of a property, to look them up in and to add new ones to. */
export class OptionList {
  #options: Option[];
  readonly #byId: Map<string, Option>;
  readonly #byName: Map<string, Option>;
  #added = false;

  constructor(options: readonly Option[]) {
    this.#options = [...options];
    this.#byId = new Map(options.map((option) => [option.id, option]));
    this.#byName = new Map(options.map((option) => [option.name, option]));
  }

  /** In the order of their ranks. */
  get options(): readonly Option[] {
    return this.#options;
  }

  /** Whether there are new ones. */
  get added(): boolean {
    return this.#added;
  }

  /** The option of an id; undefined when there is none. */
  byId(id: string): Option | undefined {
    return this.#byId.get(id);
  }

  /** The option of a name; undefined when there is none. */
  byName(name: string): Option | undefined {
    return this.#byName.get(name);
  }

  /** Adds an option at the end. Its name must be a new one. */
  add(name: string, color?: Hue, description: string | null = null): Option {
    const last = this.#options.at(-1);
    const rank = last === undefined ? 0 : last.rank + 1;
    const id = newPropertyId(this.#byId);
    const option = { id, name, color: color ?? HUES[rank % HUES.length] ?? "default", description, rank };
    this.#options.push(option);
    this.#byId.set(id, option);
    this.#byName.set(name, option);
    this.#added = true;
    return option;
  }
}

/**
 * Finds the option that a request means by its id or name. An id that the property does not have is passed over when a
 * name stands beside it: that is how an option of another database comes in.
 *
 * @param creating whether an option of a new name is added
 * @returns undefined when the input is no option, but another kind of value
 */
export function readOption(
  input: unknown,
  property: string,
  list: OptionList,
  creating: boolean,
): Option | Refusal | undefined {
  if (!isObject(input)) return undefined;
  const { id, name, color, description } = input;
  if (typeof id === "string") {
    const known = list.byId(id);
    if (known !== undefined) return known;
    if (typeof name !== "string") {
      return new Refusal(`${property}: there is no option with the id ${JSON.stringify(id)}.`);
    }
  }
  if (typeof name !== "string") return undefined;
  const known = list.byName(name);
  if (known !== undefined) return known;
  if (!creating) {
    const names = list.options.map((option) => option.name).join(", ");
    return new Refusal(`${property}: there is no option named ${name}. The options are: ${names}.`);
  }
  const refusal = refuseOptionName(name);
  if (refusal !== undefined) return refusal;
  return list.add(
    name,
    isHue(color) ? color : undefined,
    typeof description === "string" ? description : null,
  );
}

/** Why a name cannot be that of a select option; undefined when it can. */
export function refuseOptionName(name: string): Refusal | undefined {
  if (name.trim() === "") return new Refusal("Invalid select option, the name must not be empty.");
  if (name.length > MAX_OPTION_NAME) {
    return new Refusal(`Invalid select option, the name has more than ${MAX_OPTION_NAME} characters.`);
  }
  if (name.includes(",")) return new Refusal(`Invalid select option, commas not allowed: ${name}`);
  return undefined;
}
