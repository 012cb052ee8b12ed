import { decode } from 'dns-packet';
import type { PublishedZones, ZoneSnapshot } from '../../../../src/application/ports/dns/published-zones';
import { Responder } from '../../../../src/infrastructure/nameserver/responder';
import { ClientGone } from '../../../../src/infrastructure/nameserver/wire/response-channel';
import type { TsigKey } from '../../../../src/domain/dns/tsig-key';
import { aRecord } from '../../../support/data/a-record';
import { noAccountKeys } from '../../../support/nameservers/no-account-keys';
import { isCompleteTransfer, requestFor, signRequest } from '../../../support/nameservers/primary-client';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const KEY: TsigKey = { name: 'ns1', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
const SETTINGS = {
  catalogZone: 'catalog.example',
  primaryName: undefined,
  contact: undefined,
  timers: { refresh: 3600, retry: 600, expire: 86_400, negative: 300 },
};
const PAGES = 20;
const PAGE = 500;

describe('a zone transfer to a slow secondary', () => {
  let around: UseCaseContext;
  let snapshotEnded: Promise<void>;
  let zones: PublishedZones;
  let read: ZoneSnapshot['records'];

  beforeEach(async () => {
    around = new UseCaseContext();
    read = records;
    const { clock, storage } = around;
    await storage.secondaryDirectory.addKey(KEY, clock.now());
    await storage.secondaryDirectory.add({
      name: 'ns1',
      endpoint: { address: '127.0.0.1', port: 9 },
      keyName: KEY.name,
      signs: false,
      createdAt: clock.now(),
    });
    let end: (() => void) | undefined;
    snapshotEnded = new Promise((resolve) => {
      end = resolve;
    });
    zones = Object.assign(Object.create(storage.publishedZones) as PublishedZones, {
      withSnapshot: async <T>(_name: string, use: (zone: ZoneSnapshot) => Promise<T>): Promise<T> =>
        use({ ...LARGE_ZONE, records: () => read() }).finally(() => end?.()),
    });
  });

  const respond = (send: (message: Buffer) => Promise<void>, close = () => undefined as void) =>
    new Responder({
      zones,
      directory: around.storage.secondaryDirectory,
      clock: around.clock,
      log: around.log,
      settings: SETTINGS,
      ...noAccountKeys(),
    }).respond(signRequest(requestFor({ type: 'AXFR', name: 'example.com' }), KEY, around.clock.now()), {
      transport: 'tcp',
      address: '192.0.2.1',
      send,
      markAuthenticated: () => undefined,
      close,
    });

  it('closes its database snapshot before the secondary reads the first message, and is complete', async () => {
    const sent: Buffer[] = [];
    const responding = respond(async (message) => {
      await snapshotEnded;
      sent.push(message);
    });

    await responding;

    const messages = sent.map((message) => decode(message));
    expect(isCompleteTransfer(messages)).toBe(true);
    expect(messages.flatMap(({ answers = [] }) => answers)).toHaveLength(PAGES * PAGE + 4);
  });

  it('closes its database snapshot when the secondary disconnects, and is logged as broken off', async () => {
    await respond(async () => {
      throw new ClientGone();
    });

    await snapshotEnded;
    expect(around.log.entries).toEqual([
      {
        level: 'warn',
        facts: { kind: 'AXFR', zone: 'example.com', address: '192.0.2.1' },
        message: expect.stringContaining('a zone transfer broke off') as string,
      },
    ]);
  });

  it('closes the connection without the final SOA if the zone cannot be read to its end, and is logged', async () => {
    const sent: Buffer[] = [];
    const error = new Error('the database connection was killed');
    let begin: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    read = async function* () {
      yield* records();
      await begun;
      throw error;
    };
    const close = jest.fn();

    await respond(async (message) => {
      sent.push(message);
      begin?.();
    }, close);

    const messages = sent.map((message) => decode(message));
    expect(close).toHaveBeenCalledTimes(1);
    expect(isCompleteTransfer(messages)).toBe(false);
    expect(messages.map(({ flags = 0 }) => flags & 15)).toEqual(messages.map(() => 0));
    expect(around.log.entries).toEqual([
      {
        level: 'error',
        facts: { err: error, kind: 'AXFR', zone: 'example.com', address: '192.0.2.1' },
        message: expect.stringContaining('a zone transfer broke off') as string,
      },
    ]);
  });

  it('that cannot be read at all is a failure with a response', async () => {
    const sent: Buffer[] = [];
    read = () => {
      throw new Error('the database is gone');
    };

    await respond(async (message) => void sent.push(message));

    expect(sent.map((message) => (decode(message).flags ?? 0) & 15)).toEqual([2]);
    expect(around.log.entries).toMatchObject([{ level: 'error', facts: { name: 'example.com' } }]);
  });
});

async function* records() {
  for (let page = 0; page < PAGES; page += 1)
    yield Array.from({ length: PAGE }, (_, index) => aRecord({ name: `h${page}-${index}` }).toState());
}

const LARGE_ZONE: ZoneSnapshot = {
  domainId: 'dom_1',
  accountId: 'acc_1',
  zoneName: 'example.com',
  serial: 7,
  nameservers: ['ns1.example.net', 'ns2.example.net'],
  records,
  rootNameservers: async () => [],
  recordCount: PAGES * PAGE,
  differenceFrom: async () => undefined,
};
