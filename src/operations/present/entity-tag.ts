/** The parts of a page that its entity tag contains. */
export interface TaggedPage {
  readonly page: { readonly lastEditedTime: number };
  readonly version: number;
}

/** Creates the entity tag of a page from its version and, because versions repeat after a backup is restored, its last edit. */
export function createEntityTag({ version, page }: TaggedPage): string {
  return `"${version}-${page.lastEditedTime}"`;
}
