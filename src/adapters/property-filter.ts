/** The query parameter `filter_properties`. Some clients send lists with brackets: `filter_properties[]=Name`. */
interface FilterParameters {
  readonly filter_properties?: readonly string[];
  readonly "filter_properties[]"?: readonly string[];
}

/** Merges both spellings into the names or ids of the properties to show; undefined for all. */
export function parsePropertyFilter(query: FilterParameters = {}): readonly string[] | undefined {
  const { filter_properties: unbracketed, "filter_properties[]": bracketed } = query;
  if (unbracketed === undefined || bracketed === undefined) return unbracketed ?? bracketed;
  return [...unbracketed, ...bracketed];
}
