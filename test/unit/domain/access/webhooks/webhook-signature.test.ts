import { newWebhookSecret, signedHeaders } from '../../../../../src/domain/access/webhooks/webhook-signature';
import { verified } from '../../../../support/webhooks/standard-webhooks';

const BODY = JSON.stringify({ id: 'evt_1', type: 'domain.renewed', data: { note: 'Ünïcode 🦆' } });
const message = { id: 'evt_1', timestamp: Math.floor(Date.now() / 1_000), body: BODY };

const withBit = (text: string, bit: number) => {
  const bytes = Buffer.from(text);
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return bytes.toString('latin1');
};

describe('the signature of a webhook', () => {
  it('is accepted by standardwebhooks for the body as it was sent, by any of its secrets and no other', () => {
    const [first, second, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const headers = signedHeaders(message, [first, second]);

    for (const secret of [first, second]) expect(verified(secret, { body: BODY, headers })).toEqual(JSON.parse(BODY));
    expect(() => verified(other, { body: BODY, headers })).toThrow('No matching signature');
  });

  it('is refused by standardwebhooks after a change of any bit of the body, the id, the time or the secret', () => {
    const secret = newWebhookSecret();
    const headers = signedHeaders(message, [secret]);
    const isAccepted = (body: string, changed: object = {}, by = secret) => {
      try {
        verified(by, { body, headers: { ...headers, ...changed } });
        return true;
      } catch {
        return false;
      }
    };
    const accepted: string[] = [];
    for (let bit = 0; bit < Buffer.byteLength(BODY) * 8; bit += 1)
      if (isAccepted(withBit(BODY, bit))) accepted.push(`body ${bit}`);
    for (const name of ['webhook-id', 'webhook-timestamp'] as const)
      for (let bit = 0; bit < headers[name].length * 8; bit += 1)
        if (isAccepted(BODY, { [name]: withBit(headers[name], bit) })) accepted.push(`${name} ${bit}`);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    for (let bit = 0; bit < key.length * 8; bit += 1) {
      const other = Buffer.from(key);
      other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      if (isAccepted(BODY, {}, `whsec_${other.toString('base64')}`)) accepted.push(`secret ${bit}`);
    }

    expect(isAccepted(BODY)).toBe(true);
    expect(accepted).toEqual([]);
  });
});
