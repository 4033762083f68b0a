import { getSystemErrorReason, OperationalError, UserError } from "../errors.js";
import { PARTIAL_FILE_SUFFIX } from "./write-file.js";

/** Formats an error for the terminal: the message of a user error, the stack trace of a bug. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UserError || error instanceof OperationalError) return error.message;
  const code = "code" in error ? String(error.code) : "";
  return formatSystemError(code, error) ?? error.stack ?? error.message;
}

function formatSystemError(code: string, error: Error): string | undefined {
  switch (code) {
    case "ERR_MODULE_NOT_FOUND":
    case "MODULE_NOT_FOUND": {
      const missing = /^Cannot find (?:package|module) '([^'./][^']*)'/.exec(error.message)?.[1];
      if (missing === undefined) return undefined;
      return `The package ${missing} is not installed, and this command needs it. Run \`npm install --include=optional\`.`;
    }
    case "EADDRINUSE":
      return `Port ${getField(error, "port")} is in use. Stop the program that uses it, or set PORT to a different port.`;
    case "EACCES":
      // Without a port, it is a file that cannot be accessed.
      if (!("port" in error)) return formatFileError(error);
      return `Port ${getField(error, "port")} needs administrator rights. Set PORT to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      // The error has no address if the host name could not be resolved.
      return `HOST ${getField(error, "address") || getField(error, "hostname")} is not an address of this machine. Use 0.0.0.0 to listen on all its addresses.`;
    case "EISDIR":
      // Node reports a path when it writes to a folder, and none when it reads one.
      return "path" in error
        ? "The output is a folder. Pass a file to --output."
        : "The input is a folder. Pass a file to --input.";
    case "ENOSPC":
      return "The disk is full. Free space, or write to another disk.";
    case "EPIPE":
      return "Standard output was closed before everything was written.";
    case "ABORT_ERR":
      return "Stopped before the end. Nothing was written.";
    default:
      return formatFileError(error);
  }
}

/** Formats an error of a file; undefined for any other error. */
function formatFileError(error: Error): string | undefined {
  if (!("syscall" in error && "path" in error)) return undefined;
  const file = String(error.path).replace(PARTIAL_FILE_SUFFIX, "");
  return `Cannot ${String(error.syscall)} ${file}: ${getSystemErrorReason(error)}.`;
}

function getField(error: Error, name: string): string {
  return String(Reflect.get(error, name) ?? "");
}
