import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer } from 'dns-packet';
import type { DnsKey } from '../../../../src/domain/dns/delegation/ds-record';
import { readKeys } from '../../../../src/infrastructure/nameserver/zone-sources/served-keys';

/** Made with dnssec-keygen and dnssec-signzone of BIND 9.18: algorithms 8, 13, 14 and 15. */
const FIXTURE = JSON.parse(readFileSync(join(__dirname, '../../../fixtures/dnssec/dnskey-rrset.json'), 'utf8')) as {
  readonly keys: readonly DnsKey[];
  readonly signatures: readonly Record<string, number | string>[];
};
const ZONE = 'signed-elsewhere.com';
const NOW = new Date('2026-06-01T00:00:00.000Z');

function keyAnswer({ flags, algorithm, publicKey }: DnsKey): Answer {
  return { type: 'DNSKEY', name: ZONE, ttl: 3_600, data: { flags, algorithm, key: Buffer.from(publicKey, 'base64') } };
}

function signatureAnswer(signature: Record<string, number | string>): Answer {
  const data = {
    ...signature,
    typeCovered: 'DNSKEY',
    signersName: ZONE,
    signature: Buffer.from(String(signature['signature']), 'base64'),
  };
  return { type: 'RRSIG', name: ZONE, ttl: 3_600, data } as unknown as Answer;
}

describe('the keys that a nameserver proves', () => {
  let socket: Socket;
  let answers: Answer[];
  const endpoint = () => ({ address: '127.0.0.1', port: socket.address().port });
  const algorithms = async (now = NOW) =>
    (await readKeys(ZONE, endpoint(), now))?.signing.map(({ algorithm }) => algorithm).toSorted((a, b) => a - b);

  beforeEach(async () => {
    answers = [...FIXTURE.keys.map(keyAnswer), ...FIXTURE.signatures.map(signatureAnswer)];
    socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.on('message', (bytes, from) => {
      const { id = 0, questions = [] } = decode(bytes);
      socket.send(
        encode({ type: 'response', id, flags: AUTHORITATIVE_ANSWER, questions, answers }),
        from.port,
        from.address,
      );
    });
  });
  afterEach(() => socket.close());

  it('are those with a valid signature over the DNSKEY records, for RSA, ECDSA and Ed25519', async () => {
    expect(await algorithms()).toEqual([8, 13, 14, 15]);
  });

  it('are unknown if the nameserver sends more than 32 keys and signatures, which would take long to compare', async () => {
    const [signature] = FIXTURE.signatures.map(signatureAnswer);
    answers.push(...Array.from({ length: 33 - answers.length }, () => signature as Answer));

    expect(await algorithms()).toBeUndefined();
  });

  it('are none without signatures', async () => {
    answers = FIXTURE.keys.map(keyAnswer);

    expect(await algorithms()).toEqual([]);
  });

  it('are none after the signatures have expired and before they begin', async () => {
    expect(await algorithms(new Date('2040-01-01T00:00:00.000Z'))).toEqual([]);
    expect(await algorithms(new Date('2025-01-01T00:00:00.000Z'))).toEqual([]);
  });

  it('are none if a key was added without a new signature', async () => {
    const stranger = { flags: 257, algorithm: 13, publicKey: Buffer.alloc(64, 1).toString('base64') };
    answers.push(keyAnswer(stranger));

    expect(await algorithms()).toEqual([]);
  });
});
