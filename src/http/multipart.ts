import type { Readable } from "node:stream";
import { RequestRefused } from "./errors.js";
import { MultipartParser, type PartHead } from "./multipart-parser.js";
import { type Pull, streamOf, tooLarge } from "./source.js";
import type { HttpField } from "./types.js";
import { addValue, fieldValue } from "./values.js";
import type { Values } from "./wire.js";

/** A part as a handler gets it: a file's content is a stream, any other is decoded. */
export type Part =
  | { name: string; headers: Record<string, string>; value: unknown; stream?: undefined }
  | (PartHead & { stream: Readable; value?: undefined });

export interface MultipartOptions {
  /** `Content-Type` of the body. */
  contentType: string;
  fields: readonly HttpField[];
  /** Most bytes of all that is kept in memory. */
  limit: number;
  /** Checks the decoded fields, with a text in the place of each file; throws when they do not fit. */
  check(values: Values): void;
}

/** Types of parts that nothing declares and that are files, also without a file name. */
const BINARY = /^(?:application\/octet-stream|(?:image|audio|video|font)\/)/i;

/** A multipart body that is read part by part as it arrives, once. */
export class MultipartBody implements AsyncIterable<Part> {
  readonly #parser: MultipartParser;
  readonly #options: MultipartOptions;
  readonly #fields: Map<string, HttpField>;
  /** What is checked in the end. */
  readonly #values: Values = {};
  #kept = 0;

  constructor(pull: Pull, options: MultipartOptions) {
    this.#parser = new MultipartParser(pull, options.contentType);
    this.#options = options;
    this.#fields = new Map(options.fields.map((field) => [field.name, field]));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Part, void, undefined> {
    for (let head = await this.#parser.next(); head; head = await this.#parser.next()) {
      const { name, filename, headers } = head;
      const field = this.#fields.get(name);
      if (field ? field.file === true : filename !== undefined || BINARY.test(head.contentType)) {
        addValue(this.#values, field, name, "-");
        const { stream, leave } = streamOf(() => this.#parser.read());
        try {
          yield { ...head, stream };
        } finally {
          await leave();
        }
      } else {
        const value = fieldValue(field, name, await this.#content(this.#options.limit), head.contentType);
        addValue(this.#values, field, name, value);
        yield { name, headers, value };
      }
    }
    this.#options.check(this.#values);
  }

  /** Everything that is left, with files in memory. */
  async collect(limit = this.#options.limit): Promise<Values> {
    const collected: Values = {};
    for await (const part of this) {
      const field = this.#fields.get(part.name);
      if (!part.stream) addValue(collected, field, part.name, part.value);
      else {
        const bytes = await this.#content(limit);
        const file = new File([bytes], part.filename ?? "", { type: part.contentType });
        addValue(collected, field, part.name, file);
      }
    }
    return collected;
  }

  /** The fields of a body in which no file is expected. */
  async fields(): Promise<Values> {
    for await (const { name, stream } of this) {
      if (stream) {
        throw new RequestRefused(
          "invalid_value",
          `body failed validation: body.${name} should be text, instead was a file.`,
        );
      }
    }
    return this.#values;
  }

  /** The content of the current part. */
  async #content(limit: number): Promise<Buffer<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    for (let piece = await this.#parser.read(); piece; piece = await this.#parser.read()) {
      this.#kept += piece.length;
      if (this.#kept > limit) throw tooLarge(limit);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
}
