/** A picture that is hosted elsewhere. */
export interface ExternalFile {
  readonly type: "external";
  readonly external: { readonly url: string };
}

/** The icon of a page or database, as stored and as responses show it. */
export type Icon = { readonly type: "emoji"; readonly emoji: string } | ExternalFile;

/** The cover of a page or database, as stored and as responses show it. */
export type Cover = ExternalFile;

/** A cover as requests bring it; the type may be left out. */
export interface CoverInput {
  readonly type?: "external" | undefined;
  readonly external: { readonly url: string };
}

/** An icon as requests bring it; the type may be left out. */
export type IconInput = { readonly type?: "emoji" | undefined; readonly emoji: string } | CoverInput;

/** Fills in the type of an icon; null means no icon. */
export function toIcon(input: IconInput | null): Icon | null {
  if (input === null) return null;
  return "emoji" in input ? { type: "emoji", emoji: input.emoji } : toCover(input);
}

/** Fills in the type of a cover; null means no cover. */
export function toCover(input: CoverInput): Cover;
export function toCover(input: CoverInput | null): Cover | null;
export function toCover(input: CoverInput | null): Cover | null {
  return input === null ? null : { type: "external", external: { url: input.external.url } };
}
