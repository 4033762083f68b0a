import { ProvisionError } from "../access/checks.js";
import { ConfigError } from "../config.js";
import { ConflictError, StorageUnavailableError } from "../storage/errors.js";
import { TransferError } from "../storage/transfer/format.js";
import { UsageError } from "./usage.js";

/** What the command says of an error: of a user's mistake a line, of a fault of ours the stack trace. */
export function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} Run \`page-service --help\` to see the commands.`;
  const known = [ConfigError, ProvisionError, ConflictError, StorageUnavailableError, TransferError];
  if (known.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (error instanceof Error && "code" in error) {
    const missing = missingPackage(error.code, error.message);
    if (missing !== undefined)
      return `The package ${missing} is not installed, and this command needs it. Run \`npm install --include=optional\`.`;
    if (error.code === "EADDRINUSE") return "The port is in use already; choose another with PORT.";
    if (error.code === "EACCES") return "This port needs more rights; choose one above 1023 with PORT.";
    if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
      return "HOST is no address of this machine.";
    if (error.code === "EPIPE") return "Standard output was closed before all of it was written.";
    if (error.code === "ABORT_ERR") return "Stopped before the end: nothing was written.";
    if ("syscall" in error && "path" in error) return `${error.message.replace(/\.?$/, ".")}`;
    if (String(error.code).startsWith("ERR_PARSE_ARGS"))
      return `${error.message.replace(/\.?$/, ".")} Run \`page-service --help\`.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The package that Node did not find; undefined when it is a file of ours that is missing, or something else. */
function missingPackage(code: unknown, message: string): string | undefined {
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") return undefined;
  return /^Cannot find (?:package|module) '([^'./][^']*)'/.exec(message)?.[1];
}
