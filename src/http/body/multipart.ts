import { InvalidRequestError } from "../errors.js";
import { MultipartParser } from "./multipart-parser.js";
import type { FieldPart, FilePart } from "./multipart-types.js";
import { type ReadChunk, createStream, createTooLargeError } from "./body-stream.js";
import type { HttpField } from "../types.js";
import { addValue, decodeFieldValue, separateAdditionalField } from "./form-values.js";
import { createParameterError, isListType, setOwn, type Values } from "../parameters/text-values.js";

/** A part of a multipart body: a file as a stream, any other part decoded. */
export type ReceivedPart = FilePart<string> | FieldPart<string, unknown>;

export interface MultipartOptions {
  /** `Content-Type` of the body. */
  contentType: string;
  fields: readonly HttpField[];
  /** Maximum size in bytes of all parts that are read into memory. */
  limit: number;
  /** Validates the decoded fields, with a placeholder for each file. Throws if they are invalid. */
  validate(values: Values): void;
}

/** Matches media types that make an undeclared part a file, even without a file name. */
const BINARY_MEDIA_TYPE = /^(?:application\/octet-stream|(?:image|audio|video|font)\/)/i;

/** A multipart body that can be read once, part by part, while it arrives. */
export class MultipartBody implements AsyncIterable<ReceivedPart> {
  private readonly parser: MultipartParser;
  private readonly fields: Map<string, HttpField>;
  private readonly additionalField: HttpField | undefined;
  /** Decoded fields, which are validated at the end. */
  private readonly values: Values = {};
  private fileCount = 0;
  private bytesInMemory = 0;
  /** Maximum of bytesInMemory. */
  private limit: number;

  constructor(
    readChunk: ReadChunk,
    private readonly options: MultipartOptions,
  ) {
    this.limit = options.limit;
    this.parser = new MultipartParser(readChunk, options.contentType);
    const { fields, additionalField } = separateAdditionalField(options.fields);
    this.fields = new Map(fields.map((field) => [field.name, field]));
    this.additionalField = additionalField;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ReceivedPart, void, undefined> {
    for (let part = await this.parser.nextPart(); part; part = await this.parser.nextPart()) {
      const { name, filename, headers, contentType } = part;
      const field = this.fields.get(name) ?? this.additionalField;
      const looksLikeFile = filename !== undefined || BINARY_MEDIA_TYPE.test(contentType);
      if (field && !field.text ? field.file : looksLikeFile) {
        if (field && !isListType(field.type) && Object.hasOwn(this.values, name))
          throw createParameterError({ in: "body", name }, "sent once");
        this.fileCount += 1;
        // Unique, because a list can have `uniqueItems`. Where the part could be text, the placeholder is an object, because it must
        // not match the schema of the text.
        const placeholder = `file ${this.fileCount}`;
        addValue(this.values, field, name, field?.text ? { placeholder } : placeholder);
        const { stream, close } = createStream(() => this.parser.readContent());
        try {
          yield { ...part, stream };
        } finally {
          await close();
        }
      } else {
        const bytes = await this.readContent();
        const value = decodeFieldValue(field, name, bytes, contentType);
        addValue(this.values, field, name, value);
        yield { name, headers, value };
      }
    }
    this.options.validate(this.values);
  }

  /** Reads the remaining parts, with files in memory. `limit` replaces the one of the options. */
  async collect(limit = this.limit): Promise<Values> {
    this.limit = limit;
    const collected: Values = {};
    for await (const part of this) {
      const field = this.fields.get(part.name) ?? this.additionalField;
      if (!part.stream) addValue(collected, field, part.name, part.value);
      else {
        const bytes = await this.readContent();
        const file = new File([bytes], part.filename ?? "", { type: part.contentType });
        addValue(collected, field, part.name, file);
      }
    }
    for (const [name, value] of Object.entries(collected)) {
      const validated = this.values[name];
      // Validation can have converted a text, or have made a list of a single value.
      if (![value].flat().some((item) => item instanceof File)) setOwn(collected, name, validated);
      else if (Array.isArray(validated)) setOwn(collected, name, [value].flat());
    }
    return collected;
  }

  /** Reads the fields of a body that must not contain files. */
  async readFields(): Promise<Values> {
    for await (const { name, stream } of this) {
      if (stream)
        throw new InvalidRequestError(
          "invalid_value",
          `body failed validation: body.${name} should be text, instead was a file.`,
        );
    }
    return this.values;
  }

  private async readContent(): Promise<Buffer<ArrayBuffer>> {
    const chunks: Uint8Array[] = [];
    for (let chunk = await this.parser.readContent(); chunk; chunk = await this.parser.readContent()) {
      this.bytesInMemory += chunk.length;
      if (this.bytesInMemory > this.limit) throw createTooLargeError(this.limit);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}
