/** Query parameter for the properties of a response. Some clients send lists with brackets: `filter_properties[]=Name`. */
interface PropertyFilterQuery {
  readonly filter_properties?: readonly string[];
  readonly "filter_properties[]"?: readonly string[];
}

/** Parses both spellings of the parameter: the names or ids of the properties to show; undefined for all. */
export function parsePropertyFilter(query: PropertyFilterQuery = {}): readonly string[] | undefined {
  const { filter_properties: unbracketed, "filter_properties[]": bracketed } = query;
  if (unbracketed === undefined || bracketed === undefined) return unbracketed ?? bracketed;
  return [...unbracketed, ...bracketed];
}
