import {
  binaryTag,
  constructFromEvents,
  CORE_SCHEMA,
  mergeTag,
  omapTag,
  pairsTag,
  setTag,
  YAMLException,
} from "js-yaml";
import type { Source } from "./source.js";

/** YAML 1.2 with merge keys. Values with the other tags are parsed so that inspection reports them. Dates are text. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag, binaryTag, omapTag, pairsTag, setTag);

/**
 * Parses a YAML file.
 *
 * @returns undefined for a file without a document
 * @throws YAMLException
 */
export function parseYaml(source: Source): unknown {
  const documents = constructFromEvents(source.events, {
    source: source.body,
    filename: source.absoluteRef,
    schema: SCHEMA,
  });
  if (documents.length > 1)
    throw new YAMLException("expected a single document in the stream, but found more");
  return documents[0];
}
