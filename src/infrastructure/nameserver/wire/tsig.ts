import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TsigAlgorithm, TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import { writeName } from '../../../domain/dns/records/types/rdata/wire-name';
import { CLASS, TYPE, type WireTsig } from './wire-query';

/** Error codes of a TSIG record: RFC 8945, section 3. */
export const TSIG_ERROR = { NONE: 0, BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const;
type TsigError = (typeof TSIG_ERROR)[keyof typeof TSIG_ERROR];

/** Seconds by which two clocks may differ: RFC 8945, section 10. */
const FUDGE = 300;
const HASH: Record<TsigAlgorithm, string> = {
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
};
const DIGEST_OCTETS: Record<TsigAlgorithm, number> = { 'hmac-sha256': 32, 'hmac-sha384': 48, 'hmac-sha512': 64 };
const ADDITIONAL_COUNT = 10;
const EMPTY = Buffer.alloc(0);

export type TsigResult = 'valid' | 'malformed' | { readonly error: Exclude<TsigError, 0> };

/** Verifies the TSIG of a request, in the order of RFC 8945, section 5.2. `key` is undefined if the name is unknown. */
export function verifyTsig(bytes: Buffer, tsig: WireTsig, key: TsigKey | undefined, now: number): TsigResult {
  if (!key || key.algorithm !== tsig.algorithm) return { error: TSIG_ERROR.BADKEY };
  const expected = mac(key, [signedPart(bytes, tsig), tsigVariables(key, tsig)]);
  const { length } = tsig.mac;
  if (length > expected.length || length < Math.max(10, expected.length / 2)) return 'malformed';
  if (!timingSafeEqual(tsig.mac, expected.subarray(0, length))) return { error: TSIG_ERROR.BADSIG };
  // The sender chooses its fudge: without a limit, a captured request could be replayed for 18 hours.
  if (Math.abs(now - tsig.timeSigned) > Math.min(tsig.fudge, FUDGE)) return { error: TSIG_ERROR.BADTIME };
  return length < expected.length ? { error: TSIG_ERROR.BADTRUNC } : 'valid';
}

/** Signs the messages of one exchange in order; each signature covers the previous MAC: RFC 8945, section 5.3. */
export class TsigSigner {
  private isFirst = true;

  /** @param previous the MAC of the request, or undefined to sign a request */
  constructor(
    private readonly key: TsigKey,
    private previous: Buffer | undefined,
  ) {}

  sign(message: Buffer, now: number): Buffer {
    return this.signFields(message, { timeSigned: now, fudge: FUDGE, error: TSIG_ERROR.NONE, otherData: EMPTY });
  }

  /** Signs a response with a TSIG error: RFC 8945, section 5.2. */
  signError(message: Buffer, { timeSigned, fudge }: WireTsig, error: TsigError, now: number): Buffer {
    return this.signFields(message, {
      timeSigned,
      fudge,
      error,
      otherData: error === TSIG_ERROR.BADTIME ? time48(now) : EMPTY,
    });
  }

  private signFields(message: Buffer, fields: TsigFields): Buffer {
    const variables = this.isFirst ? tsigVariables(this.key, fields) : timers(fields);
    const previous = this.previous ? [uint16(this.previous.length), this.previous] : [];
    const signature = mac(this.key, [...previous, message, variables]);
    this.previous = signature;
    this.isFirst = false;
    return withTsig(message, this.key, fields, signature);
  }

  /** The most octets that a signature adds to a message. */
  get octets(): number {
    return tsigOctets(this.key);
  }
}

/** Adds an unsigned TSIG record with an error, for a client without a valid key: RFC 8945, section 5.3.2. */
export function withUnsignedTsig(
  message: Buffer,
  { keyName, algorithm, timeSigned }: WireTsig,
  error: TsigError,
): Buffer {
  return withTsig(message, { name: keyName, algorithm }, { timeSigned, fudge: FUDGE, error, otherData: EMPTY }, EMPTY);
}

/** Whether a response has a valid signature by `key` that covers `requestMac`. */
export function isSignedResponse(bytes: Buffer, tsig: WireTsig, key: TsigKey, requestMac: Buffer): boolean {
  const expected = mac(key, [uint16(requestMac.length), requestMac, signedPart(bytes, tsig), tsigVariables(key, tsig)]);
  return tsig.keyName === key.name && tsig.mac.length === expected.length && timingSafeEqual(tsig.mac, expected);
}

/** How many messages may follow one another without a signature: RFC 8945, section 5.3.1. */
const MAX_UNSIGNED = 99;

/** Verifies the messages of a response to a signed request, in order: RFC 8945, section 5.3.1. */
export class TsigVerifier {
  private isFirst = true;
  private unsigned: Buffer[] = [];

  /** @param previous the MAC of the request */
  constructor(
    private readonly key: TsigKey,
    private previous: Buffer,
  ) {}

  /** Whether every message so far is covered by a signature. */
  get isComplete(): boolean {
    return !this.isFirst && this.unsigned.length === 0;
  }

  /** Returns false if the signature is invalid or missing for too long. */
  verify(bytes: Buffer, tsig: WireTsig | undefined, now: number): boolean {
    if (!tsig) {
      this.unsigned.push(bytes);
      return !this.isFirst && this.unsigned.length <= MAX_UNSIGNED;
    }
    const { key } = this;
    if (tsig.keyName !== key.name || tsig.algorithm !== key.algorithm || tsig.error !== TSIG_ERROR.NONE) return false;
    const variables = this.isFirst ? tsigVariables(key, tsig) : timers(tsig);
    const prior = [uint16(this.previous.length), this.previous, ...this.unsigned];
    const expected = mac(key, [...prior, signedPart(bytes, tsig), variables]);
    const isValid = tsig.mac.length === expected.length && timingSafeEqual(tsig.mac, expected);
    if (!isValid || Math.abs(now - tsig.timeSigned) > Math.min(tsig.fudge, FUDGE)) return false;
    this.previous = tsig.mac;
    this.isFirst = false;
    this.unsigned = [];
    return true;
  }
}

type TsigFields = Pick<WireTsig, 'timeSigned' | 'fudge' | 'error' | 'otherData'>;

function mac({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  const hmac = createHmac(HASH[algorithm], secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** The message without its TSIG record: RFC 8945, section 4.3.2. */
function signedPart(bytes: Buffer, { start, originalId }: WireTsig): Buffer {
  const part = Buffer.from(bytes.subarray(0, start));
  part.writeUInt16BE(originalId, 0);
  part.writeUInt16BE(part.readUInt16BE(ADDITIONAL_COUNT) - 1, ADDITIONAL_COUNT);
  return part;
}

/** RFC 8945, section 4.3.3. */
function tsigVariables({ name, algorithm }: Pick<TsigKey, 'name' | 'algorithm'>, fields: TsigFields): Buffer {
  const classAndTtl = Buffer.from([0, CLASS.ANY, 0, 0, 0, 0]);
  return Buffer.concat([
    writeName(name),
    classAndTtl,
    writeName(algorithm),
    timers(fields),
    uint16(fields.error),
    uint16(fields.otherData.length),
    fields.otherData,
  ]);
}

function timers({ timeSigned, fudge }: TsigFields): Buffer {
  return Buffer.concat([time48(timeSigned), uint16(fudge)]);
}

function withTsig(
  message: Buffer,
  { name, algorithm }: { name: string; algorithm: string },
  fields: TsigFields,
  signature: Buffer,
): Buffer {
  const data = Buffer.concat([
    writeName(algorithm),
    timers(fields),
    uint16(signature.length),
    signature,
    message.subarray(0, 2),
    uint16(fields.error),
    uint16(fields.otherData.length),
    fields.otherData,
  ]);
  const head = Buffer.from([0, TYPE.TSIG, 0, CLASS.ANY, 0, 0, 0, 0]);
  const signed = Buffer.concat([message, writeName(name), head, uint16(data.length), data]);
  signed.writeUInt16BE(signed.readUInt16BE(ADDITIONAL_COUNT) + 1, ADDITIONAL_COUNT);
  return signed;
}

function tsigOctets({ name, algorithm }: TsigKey): number {
  return writeName(name).length + writeName(algorithm).length + DIGEST_OCTETS[algorithm] + 32;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function time48(seconds: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(seconds, 0, 6);
  return bytes;
}
