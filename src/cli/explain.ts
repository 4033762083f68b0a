import { ProvisionError } from "../access/checks.js";
import { ConfigError } from "../config.js";
import { ConflictError, StorageUnavailableError } from "../storage/errors.js";
import { UsageError } from "./usage.js";

/** What the command says of an error: of a user's mistake a line, of a fault of ours the stack trace. */
export function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} Run \`page-service --help\` to see the commands.`;
  const known = [ConfigError, ProvisionError, ConflictError, StorageUnavailableError];
  if (known.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (error instanceof Error && "code" in error) {
    if (error.code === "EADDRINUSE") return "The port is in use already; choose another with PORT.";
    if (error.code === "EACCES") return "This port needs more rights; choose one above 1023 with PORT.";
    if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
      return "HOST is no address of this machine.";
    if (String(error.code).startsWith("ERR_PARSE_ARGS"))
      return `${error.message.replace(/\.?$/, ".")} Run \`page-service --help\`.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
