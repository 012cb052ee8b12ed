import { XML_LIMITS } from './parse-xml';

/** A four-byte length, which includes itself, precedes each frame (RFC 5734 section 4). */
const HEADER_BYTES = 4;
const FIRST_BUFFER_BYTES = 4_096;

/** A frame of invalid length. Nothing after it can be decoded. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** @throws FrameError for a document above `limit` bytes */
export function encodeFrame(document: string, limit = XML_LIMITS.bytes): Buffer {
  const length = Buffer.byteLength(document);
  if (length > limit) throw new FrameError(`a frame of ${length} bytes is above the limit of ${limit}`);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32BE(frame.length, 0);
  frame.write(document, HEADER_BYTES);
  return frame;
}

/**
 * Splits a byte stream into documents. Memory is proportional to the received bytes, not to the announced length; time is
 * linear in the received bytes.
 */
export class FrameDecoder {
  private readonly header = Buffer.alloc(HEADER_BYTES);
  private headerBytes = 0;
  private body = Buffer.alloc(0);
  private bodyBytes = 0;
  private announced = 0;

  constructor(private readonly limit: number = XML_LIMITS.bytes) {}

  /** Returns the documents that `chunk` completes, in order. @throws FrameError, after which the decoder is unusable */
  push(chunk: Uint8Array): Buffer[] {
    const documents: Buffer[] = [];
    let position = 0;
    while (position < chunk.length) {
      if (this.headerBytes < HEADER_BYTES) position += this.takeHeader(chunk.subarray(position));
      else position += this.takeBody(chunk.subarray(position));
      if (this.headerBytes === HEADER_BYTES && this.bodyBytes === this.announced) documents.push(this.finish());
    }
    return documents;
  }

  private takeHeader(chunk: Uint8Array): number {
    const taken = chunk.subarray(0, HEADER_BYTES - this.headerBytes);
    this.header.set(taken, this.headerBytes);
    this.headerBytes += taken.length;
    if (this.headerBytes === HEADER_BYTES) this.announced = this.readLength();
    return taken.length;
  }

  private readLength(): number {
    const length = this.header.readUInt32BE(0) - HEADER_BYTES;
    if (length < 1) throw new FrameError('an empty frame');
    if (length > this.limit) throw new FrameError(`a frame of ${length} bytes is above the limit of ${this.limit}`);
    return length;
  }

  private takeBody(chunk: Uint8Array): number {
    const taken = chunk.subarray(0, this.announced - this.bodyBytes);
    this.ensureCapacity(this.bodyBytes + taken.length);
    this.body.set(taken, this.bodyBytes);
    this.bodyBytes += taken.length;
    return taken.length;
  }

  private ensureCapacity(needed: number): void {
    if (needed <= this.body.length) return;
    const grown = Buffer.alloc(Math.min(this.announced, Math.max(needed, this.body.length * 2, FIRST_BUFFER_BYTES)));
    this.body.copy(grown, 0, 0, this.bodyBytes);
    this.body = grown;
  }

  private finish(): Buffer {
    const document = this.body.subarray(0, this.bodyBytes);
    this.headerBytes = 0;
    this.body = Buffer.alloc(0);
    this.bodyBytes = 0;
    this.announced = 0;
    return document;
  }
}
