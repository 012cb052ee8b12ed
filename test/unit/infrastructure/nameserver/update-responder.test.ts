import type { Packet } from 'dns-packet';
import { addObserver } from '../../../../src/application/shared/observation';
import type { AccountTsigKey } from '../../../../src/application/access/api-keys/find-tsig-key';
import { RCODE, UpdateResponder } from '../../../../src/infrastructure/nameserver/update-responder';
import { readQuery, type WireQuery, type WireTsig } from '../../../../src/infrastructure/nameserver/wire/wire-query';
import { requestFor, signRequest } from '../../../support/nameservers/primary-client';
import { RecordingLog } from '../../../support/fakes/recording-log';

const UPDATE = 5 << 11;
const SECRET = Buffer.alloc(32, 1);
const KEY = {
  name: 'ab',
  algorithm: 'hmac-sha256',
  secret: SECRET,
  apiKey: { keyId: 'k', accountId: 'acc_1' },
} as unknown as AccountTsigKey;

function message(id: number, more: Packet = {}): { readonly query: WireQuery; readonly tsig: WireTsig } {
  const request = requestFor({ type: 'SOA', name: 'example.com' }, { id, flags: UPDATE, ...more });
  const query = readQuery(signRequest(request, KEY)) as WireQuery;
  return { query, tsig: query.tsig as WireTsig };
}

describe('the UPDATE responder', () => {
  let rcodes: string[] = [];
  let removeObserver: () => void;
  beforeEach(() => {
    rcodes = [];
    removeObserver = addObserver({
      around: (_activity, work) => work(),
      event: (event) => {
        if (event.kind === 'dynamic update') rcodes.push(event.rcode);
      },
    });
  });
  afterEach(() => removeObserver());

  let updates = 0;
  let units: readonly string[] = [];
  const responder = (limit: () => number) =>
    new UpdateResponder({
      updates: {
        execute: async () => ((updates += 1), { outcome: 'NOERROR' }),
      },
      updateWaits: { udp: 0, tcp: 0 },
      accountLimiter: {
        consume: async (accountId) => {
          units = [...units, accountId];
          return { limit: limit(), remaining: 0, resetSeconds: 1, exceeded: units.length > limit() };
        },
      },
      log: new RecordingLog(),
    });

  beforeEach(() => {
    updates = 0;
    units = [];
  });

  it('carries out the same signed message once', async () => {
    const responds = responder(() => 10);
    const { query, tsig } = message(1);

    const responses = await Promise.all([1, 2, 3].map(() => responds.respond(query, tsig, KEY, 'udp')));

    expect(responses).toEqual([1, 2, 3].map(() => ({ rcode: RCODE.NOERROR })));
    expect(updates).toBe(1);
  });

  it('counts each message, but no repetition, against the rate limit of the account, and refuses those above', async () => {
    const responds = responder(() => 1);
    const [first, second] = [message(1), message(2)];

    expect(await responds.respond(first.query, first.tsig, KEY, 'udp')).toEqual({ rcode: RCODE.NOERROR });
    expect(await responds.respond(second.query, second.tsig, KEY, 'udp')).toEqual({ rcode: RCODE.REFUSED });
    expect(await responds.respond(first.query, first.tsig, KEY, 'udp')).toEqual({ rcode: RCODE.NOERROR });
    expect(units).toEqual(['acc_1', 'acc_1']);
    expect(updates).toBe(1);
    expect(rcodes).toEqual(['NOERROR', 'REFUSED', 'NOERROR']);
  });

  it('remembers a message after 10,000 others that were over the rate limit, and carries these out when they are repeated', async () => {
    let limit = 1;
    const responds = responder(() => limit);
    const [first, second] = [message(1), message(2)];
    await responds.respond(first.query, first.tsig, KEY, 'udp');
    for (let index = 0; index < 10_000; index += 1)
      await responds.respond(second.query, { ...second.tsig, mac: Buffer.from(`${index}`) }, KEY, 'udp');
    limit = Infinity;

    expect(await responds.respond(first.query, first.tsig, KEY, 'udp')).toEqual({ rcode: RCODE.NOERROR });
    expect(updates).toBe(1);
    expect(await responds.respond(second.query, { ...second.tsig, mac: Buffer.from('1') }, KEY, 'udp')).toEqual({
      rcode: RCODE.NOERROR,
    });
    expect(updates).toBe(2);
  });

  it.each([
    ['another type than SOA', { type: 'NS', name: 'example.com' }, RCODE.FORMERR],
    ['another class than IN', { type: 'SOA', name: 'example.com', class: 'CH' }, RCODE.NOTAUTH],
  ] as const)('refuses a zone section of %s (RFC 2136, section 3.1)', async (_what, question, rcode) => {
    const { query, tsig } = message(1, { questions: [question] });

    expect(await responder(() => 10).respond(query, tsig, KEY, 'udp')).toEqual({ rcode });
    expect(updates).toBe(0);
  });
});
