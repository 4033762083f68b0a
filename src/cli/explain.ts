import { UserError } from "../access/checks.js";
import { ConfigError } from "../config.js";
import { ConflictError, StorageUnavailableError } from "../storage/engine/errors.js";
import { TransferError } from "../storage/transfer/format.js";
import { UsageError } from "./usage-error.js";

/** Errors whose message is written for users. */
const USER_ERRORS = [ConfigError, UserError, ConflictError, StorageUnavailableError, TransferError];

/** Formats an error for the terminal: one line for a user error, the stack trace for a bug. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return `${error.message} Run \`page-service --help\`.`;
  if (USER_ERRORS.some((kind) => error instanceof kind)) return error.message;
  const code = "code" in error ? String(error.code) : "";
  if (code.startsWith("commander.")) return explainCommandLine(error.message);
  return explainSystemError(code, error) ?? error.stack ?? error.message;
}

/** Turns `error: unknown option '--x'\n(Did you mean --y?)` into sentences on one line. */
function explainCommandLine(message: string): string {
  const text = message
    .replace(/^error: /, "")
    .replace(/\n\((.*)\)$/, ". $1")
    .replace(/([^.?])$/, "$1.");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} Run \`page-service --help\`.`;
}

function explainSystemError(code: string, error: Error): string | undefined {
  switch (code) {
    case "ERR_MODULE_NOT_FOUND":
    case "MODULE_NOT_FOUND": {
      const missing = /^Cannot find (?:package|module) '([^'./][^']*)'/.exec(error.message)?.[1];
      if (missing === undefined) return undefined;
      return `The package ${missing} is not installed, and this command needs it. Run \`npm install --include=optional\`.`;
    }
    case "EADDRINUSE":
      return `Port ${portOf(error)} is in use. Stop the program that uses it, or set PORT to a different port.`;
    case "EACCES":
      // The same code as for a file that cannot be read.
      if (!("port" in error)) break;
      return `Port ${portOf(error)} needs administrator rights. Set PORT to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return "HOST is not an address of this machine.";
    case "EPIPE":
      return "Standard output was closed before everything was written.";
    case "ABORT_ERR":
      return "Stopped before the end. Nothing was written.";
  }
  return "syscall" in error && "path" in error ? error.message.replace(/\.?$/, ".") : undefined;
}

function portOf(error: Error): string {
  return "port" in error ? String(error.port) : "";
}
