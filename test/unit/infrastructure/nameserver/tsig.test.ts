import { createHmac } from 'node:crypto';
import type { TsigKey } from '../../../../src/domain/dns/tsig-key';
import { isSignedAnswer, judgeTsig, TSIG_ERROR, TsigSigner } from '../../../../src/infrastructure/nameserver/wire/tsig';
import { readQuery, readTsig, type WireTsig } from '../../../../src/infrastructure/nameserver/wire/wire-query';
import { requestFor, truncated } from '../../../support/nameservers/primary-client';

const KEY: TsigKey = { name: 'ns1.example', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7) };
const NOW = 1_780_000_000;
const REQUEST = requestFor({ type: 'AXFR', name: 'example.com' });

function tsigOf(bytes: Buffer): WireTsig {
  const tsig = readTsig(bytes);
  if (!tsig) throw new Error('there is no TSIG record');
  return tsig;
}

function onWire(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}

function judge(bytes: Buffer, key: TsigKey | undefined = KEY, now = NOW) {
  return judgeTsig(bytes, tsigOf(bytes), key, now);
}

describe('a signature on a request', () => {
  const signed = new TsigSigner(KEY, undefined).sign(REQUEST, NOW);

  it('is a record at the end, over the message and the variables of RFC 8945', () => {
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

  it.each(['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const)('is good by %s', (algorithm) => {
    const key = { ...KEY, algorithm };

    expect(judge(new TsigSigner(key, undefined).sign(REQUEST, NOW), key)).toBe('good');
  });

  it('is good for five minutes at most, whatever fudge its sender has chosen', () => {
    const wide = new TsigSigner(KEY, undefined).signError(
      REQUEST,
      { ...tsigOf(signed), fudge: 65_535 },
      TSIG_ERROR.NONE,
      NOW,
    );

    expect([-301, -300, 300, 301].map((seconds) => judge(wide, KEY, NOW + seconds))).toEqual([
      { error: TSIG_ERROR.BADTIME },
      'good',
      'good',
      { error: TSIG_ERROR.BADTIME },
    ]);
  });

  it('is good up to its fudge, and not beyond', () => {
    expect([-301, -300, 300, 301].map((seconds) => judge(signed, KEY, NOW + seconds))).toEqual([
      { error: TSIG_ERROR.BADTIME },
      'good',
      'good',
      { error: TSIG_ERROR.BADTIME },
    ]);
  });

  it('is good under the id that a forwarder gave it', () => {
    const forwarded = Buffer.from(signed);
    forwarded.writeUInt16BE(815, 0);

    expect(judge(forwarded)).toBe('good');
  });

  it.each([
    ['by a key that nobody has', undefined],
    ['by another algorithm than the key has', { ...KEY, algorithm: 'hmac-sha512' as const }],
  ])('is of an unknown key %s', (_what, key) => {
    expect(judgeTsig(signed, tsigOf(signed), key, NOW)).toEqual({ error: TSIG_ERROR.BADKEY });
  });

  it('is bad under another secret', () => {
    expect(judge(signed, { ...KEY, secret: Buffer.alloc(32, 8) })).toEqual({ error: TSIG_ERROR.BADSIG });
  });

  it('is bad where any octet of what it covers differs', () => {
    const { start } = tsigOf(signed);
    for (let at = 2; at < start; at += 1) {
      const forged = Buffer.from(signed);
      forged[at] = (forged[at] ?? 0) ^ 1;
      let verdict: unknown;
      try {
        verdict = judge(forged);
      } catch {
        verdict = 'unreadable';
      }
      expect(verdict).not.toBe('good');
    }
  });

  it.each([
    [31, { error: TSIG_ERROR.BADTRUNC }],
    [16, { error: TSIG_ERROR.BADTRUNC }],
    [15, 'malformed'],
    [0, 'malformed'],
  ])('is refused with %d octets left of it', (length, verdict) => {
    expect(judge(truncated(signed, length))).toEqual(verdict);
  });

  it('tells of a bad one before it tells that it is old', () => {
    expect(judge(signed, { ...KEY, secret: Buffer.alloc(32, 8) }, NOW + 1_000)).toEqual({ error: TSIG_ERROR.BADSIG });
  });

  it('is looked for at the end only', () => {
    const doubled = new TsigSigner(KEY, undefined).sign(signed, NOW);

    expect(() => readQuery(doubled)).toThrow('TSIG must be the last record');
  });
});

describe('signatures on the messages of an answer', () => {
  it('each cover the one before, RFC 8945, section 5.3.1', () => {
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

describe('an answer to a request of ours', () => {
  const requestMac = Buffer.alloc(32, 1);
  const answer = new TsigSigner(KEY, requestMac).sign(REQUEST, NOW);
  const renamed = (name: string): WireTsig => ({ ...tsigOf(answer), keyName: name });

  it('is believed under the key and over the request that it names', () => {
    expect(isSignedAnswer(answer, tsigOf(answer), KEY, requestMac)).toBe(true);
    expect(isSignedAnswer(answer, tsigOf(answer), { ...KEY, secret: Buffer.alloc(32, 8) }, requestMac)).toBe(false);
    expect(isSignedAnswer(answer, tsigOf(answer), KEY, Buffer.alloc(32, 2))).toBe(false);
    expect(isSignedAnswer(answer, renamed('ns2.example'), KEY, requestMac)).toBe(false);
  });

  it('is not believed with less than its whole signature', () => {
    const cut = truncated(answer, 31);

    expect(isSignedAnswer(cut, tsigOf(cut), KEY, requestMac)).toBe(false);
  });
});
