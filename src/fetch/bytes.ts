import type { CallOptions, ReadBody } from "./operation.js";

/** Representations of the bytes of a response, by value of the option `as`; `bytes` by default. */
export interface Bytes {
  bytes: Uint8Array;
  blob: Blob;
  /** The bytes as they arrive, not buffered. */
  stream: ReadableStream<Uint8Array>;
}

/** Bytes to send. A stream is sent as it is read. */
export type BinaryInput = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>;

export function isBinary(value: unknown): value is BinaryInput {
  return [Blob, Uint8Array, ArrayBuffer, ReadableStream].some((kind) => value instanceof kind);
}

/** Reads the bytes of a response in the form that the option `as` names. */
export const readBytes: ReadBody = async (response, options: CallOptions & { as?: string }) => {
  if (options.as === "blob") return { body: await response.blob() };
  if (options.as === "stream") return { body: response.body ?? new Blob([]).stream() };
  return { body: new Uint8Array(await response.arrayBuffer()) };
};

/** Discards a body that the document does not declare. */
export const readNothing: ReadBody = async ({ body }) => {
  // A body that has failed rejects, which does not matter here.
  body?.cancel().catch(() => {});
  return { body: undefined };
};
