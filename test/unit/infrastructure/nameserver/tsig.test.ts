import { createHmac } from 'node:crypto';
import type { TsigKey } from '../../../../src/domain/dns/secondaries/tsig-key';
import {
  isSignedResponse,
  verifyTsig,
  TSIG_ERROR,
  TsigSigner,
} from '../../../../src/infrastructure/nameserver/wire/tsig';
import { readQuery, readTsig, type WireTsig } from '../../../../src/infrastructure/nameserver/wire/wire-query';
import { requestFor, truncateMac } from '../../../support/nameservers/primary-client';

const KEY: TsigKey = { name: 'ns1.example', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7) };
const NOW = 1_780_000_000;
const REQUEST = requestFor({ type: 'AXFR', name: 'example.com' });

function tsigOf(bytes: Buffer): WireTsig {
  const tsig = readTsig(bytes);
  if (!tsig) throw new Error('the message has no TSIG record');
  return tsig;
}

function onWire(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}

function verify(bytes: Buffer, key: TsigKey | undefined = KEY, now = NOW) {
  return verifyTsig(bytes, tsigOf(bytes), key, now);
}

describe('the TSIG of a request', () => {
  const signed = new TsigSigner(KEY, undefined).sign(REQUEST, NOW);

  it('is the last record and covers the message and the variables of RFC 8945', () => {
    const time = Buffer.from(NOW.toString(16).padStart(12, '0'), 'hex');
    const variables = Buffer.concat([
      onWire('ns1.example'),
      Buffer.from([0, 255, 0, 0, 0, 0]),
      onWire('hmac-sha256'),
      time,
      Buffer.from([1, 44, 0, 0, 0, 0]),
    ]);

    expect(tsigOf(signed)).toMatchObject({
      keyName: 'ns1.example',
      algorithm: 'hmac-sha256',
      timeSigned: NOW,
      fudge: 300,
      originalId: 4_711,
      error: 0,
    });
    expect(tsigOf(signed).mac).toEqual(createHmac('sha256', KEY.secret).update(REQUEST).update(variables).digest());
  });

  it.each(['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const)('is valid with %s', (algorithm) => {
    const key = { ...KEY, algorithm };

    expect(verify(new TsigSigner(key, undefined).sign(REQUEST, NOW), key)).toBe('valid');
  });

  it('is valid for at most five minutes, even if the client sends a larger fudge', () => {
    const wide = new TsigSigner(KEY, undefined).signError(
      REQUEST,
      { ...tsigOf(signed), fudge: 65_535 },
      TSIG_ERROR.NONE,
      NOW,
    );

    expect([-301, -300, 300, 301].map((seconds) => verify(wide, KEY, NOW + seconds))).toEqual([
      { error: TSIG_ERROR.BADTIME },
      'valid',
      'valid',
      { error: TSIG_ERROR.BADTIME },
    ]);
  });

  it('fails with BADTIME beyond its fudge', () => {
    expect([-301, -300, 300, 301].map((seconds) => verify(signed, KEY, NOW + seconds))).toEqual([
      { error: TSIG_ERROR.BADTIME },
      'valid',
      'valid',
      { error: TSIG_ERROR.BADTIME },
    ]);
  });

  it('is valid after a forwarder changes the message id', () => {
    const forwarded = Buffer.from(signed);
    forwarded.writeUInt16BE(815, 0);

    expect(verify(forwarded)).toBe('valid');
  });

  it.each([
    ['an unknown key', undefined],
    ['a different algorithm than the key', { ...KEY, algorithm: 'hmac-sha512' as const }],
  ])('fails with BADKEY for %s', (_title, key) => {
    expect(verifyTsig(signed, tsigOf(signed), key, NOW)).toEqual({ error: TSIG_ERROR.BADKEY });
  });

  it('fails with BADSIG for another secret', () => {
    expect(verify(signed, { ...KEY, secret: Buffer.alloc(32, 8) })).toEqual({ error: TSIG_ERROR.BADSIG });
  });

  it('is invalid if any octet of the signed message changes', () => {
    const { start } = tsigOf(signed);
    for (let at = 2; at < start; at += 1) {
      const forged = Buffer.from(signed);
      forged[at] = (forged[at] ?? 0) ^ 1;
      let result: unknown;
      try {
        result = verify(forged);
      } catch {
        result = 'unreadable';
      }
      expect(result).not.toBe('valid');
    }
  });

  it.each([
    [31, { error: TSIG_ERROR.BADTRUNC }],
    [16, { error: TSIG_ERROR.BADTRUNC }],
    [15, 'malformed'],
    [0, 'malformed'],
  ])('is rejected if the MAC is truncated to %d octets', (length, result) => {
    expect(verify(truncateMac(signed, length))).toEqual(result);
  });

  it('fails with BADSIG and not BADTIME if it is both wrong and too old', () => {
    expect(verify(signed, { ...KEY, secret: Buffer.alloc(32, 8) }, NOW + 1_000)).toEqual({ error: TSIG_ERROR.BADSIG });
  });

  it('fails with BADTIME and not BADTRUNC if it is both too old and truncated', () => {
    expect(verify(truncateMac(signed, 16), KEY, NOW + 1_000)).toEqual({ error: TSIG_ERROR.BADTIME });
  });

  it('is rejected unless it is the last record', () => {
    const doubled = new TsigSigner(KEY, undefined).sign(signed, NOW);

    expect(() => readQuery(doubled)).toThrow('TSIG must be the last record');
  });
});

describe('the TSIGs of a response with several messages', () => {
  it('each cover the previous MAC, RFC 8945, section 5.3.1', () => {
    const requestMac = Buffer.alloc(32, 1);
    const signer = new TsigSigner(KEY, requestMac);
    const [first, second] = [signer.sign(REQUEST, NOW), signer.sign(REQUEST, NOW + 1)];
    const { mac } = tsigOf(first);
    const timers = Buffer.concat([Buffer.from((NOW + 1).toString(16).padStart(12, '0'), 'hex'), Buffer.from([1, 44])]);

    expect(tsigOf(second).mac).toEqual(
      createHmac('sha256', KEY.secret)
        .update(Buffer.from([0, 32]))
        .update(mac)
        .update(REQUEST)
        .update(timers)
        .digest(),
    );
  });
});

describe('the TSIG of a response', () => {
  const requestMac = Buffer.alloc(32, 1);
  const answer = new TsigSigner(KEY, requestMac).sign(REQUEST, NOW);
  const renamed = (name: string): WireTsig => ({ ...tsigOf(answer), keyName: name });

  it('is valid only with the right key name, secret and request MAC', () => {
    expect(isSignedResponse(answer, tsigOf(answer), KEY, requestMac)).toBe(true);
    expect(isSignedResponse(answer, tsigOf(answer), { ...KEY, secret: Buffer.alloc(32, 8) }, requestMac)).toBe(false);
    expect(isSignedResponse(answer, tsigOf(answer), KEY, Buffer.alloc(32, 2))).toBe(false);
    expect(isSignedResponse(answer, renamed('ns2.example'), KEY, requestMac)).toBe(false);
  });

  it('is invalid if the MAC is truncated', () => {
    const cut = truncateMac(answer, 31);

    expect(isSignedResponse(cut, tsigOf(cut), KEY, requestMac)).toBe(false);
  });
});
