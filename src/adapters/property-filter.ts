/** The query parameter `filter_properties`, which can also be spelled with brackets. */
interface FilterParameters {
  readonly filter_properties?: readonly string[];
  readonly "filter_properties[]"?: readonly string[];
}

/** Returns the names or ids of the properties to show; undefined for all. */
export function parsePropertyFilter(query: FilterParameters = {}): readonly string[] | undefined {
  const { filter_properties: plain, "filter_properties[]": bracketed } = query;
  if (plain === undefined || bracketed === undefined) return plain ?? bracketed;
  return [...plain, ...bracketed];
}
