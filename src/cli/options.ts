import { InvalidArgumentError } from "commander";
import { parseDuration } from "../domain/duration.js";

/** Parses a request limit. Throws InvalidArgumentError unless it is a whole number. */
export function parseLimit(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Use a whole number of requests per minute.");
  return Number(text);
}

/** Parses the name of a file. Throws InvalidArgumentError when it is empty, as from a shell variable that is not set. */
export function parseFileName(text: string): string {
  if (text === "") throw new InvalidArgumentError("Use the name of a file.");
  return text;
}

/** Parses a duration such as 30m, 12h or 90d into milliseconds. Throws InvalidArgumentError for any other text. */
export function parseDurationOption(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new InvalidArgumentError("Use a duration such as 30m, 12h or 90d.");
  return milliseconds;
}
