import { readName } from './wire-name';

/** Reads the RDATA of one record within a message; names may be compressed. @throws RangeError beyond its end */
export class RdataReader {
  constructor(
    private readonly bytes: Buffer,
    private at = 0,
    private readonly end = bytes.length,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.end;
  }

  octets(count: number): Buffer {
    if (this.at + count > this.end) throw new RangeError('The data of a record is too short');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Big-endian, of 1 to 4 octets. */
  integer(octets: number): number {
    return this.octets(octets).readUIntBE(0, octets);
  }

  /** Absolute, with a trailing dot. */
  name(): string {
    const { name, end } = readName(this.bytes, this.at);
    if (end > this.end) throw new RangeError('A name exceeds the data of its record');
    this.at = end;
    return `${name}.`;
  }

  /** A `<character-string>` (RFC 1035, section 3.3), one character per octet. */
  string(): string {
    return this.octets(this.integer(1)).toString('latin1');
  }

  strings(): readonly string[] {
    const strings = [this.string()];
    while (!this.isAtEnd) strings.push(this.string());
    return strings;
  }

  rest(): Buffer {
    return this.octets(this.end - this.at);
  }

  assertEnd(): void {
    if (!this.isAtEnd) throw new RangeError('The data of a record has a wrong length');
  }
}
