import { decode } from 'dns-packet';
import type { AccountTsigKey } from '../../../../src/application/access/api-keys/find-tsig-key';
import type { PublishedZones, ZoneSnapshot } from '../../../../src/application/ports/dns/publishing';
import { Responder, type ResponderParts } from '../../../../src/infrastructure/nameserver/responder';
import { ZoneTransfers } from '../../../../src/infrastructure/nameserver/transfers/zone-transfers';
import { TsigSigner } from '../../../../src/infrastructure/nameserver/wire/tsig';
import { readQuery, type WireQuery } from '../../../../src/infrastructure/nameserver/wire/wire-query';
import { ClientGone } from '../../../../src/infrastructure/nameserver/wire/response-channel';
import type { TsigKey } from '../../../../src/domain/dns/secondaries/tsig-key';
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
  /** Of the accounts whose keys asked; undefined for a secondary. */
  let snapshots: (string | undefined)[];

  beforeEach(async () => {
    around = new UseCaseContext();
    read = records;
    snapshots = [];
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
      withSnapshot: async <T>(
        _name: string,
        use: (zone: ZoneSnapshot) => Promise<T>,
        accountId?: string,
      ): Promise<T> => {
        snapshots.push(accountId);
        return use({ ...LARGE_ZONE, records: () => read() }).finally(() => end?.());
      },
    });
  });

  const respond = (
    send: (message: Buffer) => Promise<void>,
    close = () => undefined as void,
    parts: Partial<ResponderParts> = {},
  ) =>
    new Responder({
      zones,
      directory: around.storage.secondaryDirectory,
      clock: around.clock,
      log: around.log,
      settings: SETTINGS,
      ...noAccountKeys(),
      ...parts,
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

  it('takes no snapshot and no memory of those to secondaries if it is for a key of an account', async () => {
    const { clock, storage } = around;
    const parts = { zones, directory: storage.secondaryDirectory, settings: SETTINGS, clock };
    const transfers = new ZoneTransfers(parts, { secondaries: 1_048_576, accounts: 100_000, account: 70_000 });
    const query = readQuery(requestFor({ type: 'AXFR', name: 'example.com' })) as WireQuery;
    const sent: Buffer[] = [];
    const transfer = (accountId?: string) =>
      transfers.send(
        query,
        { send: async (message) => snapshotEnded.then(() => void sent.push(message)) },
        new TsigSigner(KEY, undefined),
        accountId,
      );

    await expect(transfer('acc_1')).rejects.toThrow('slow clients');
    sent.length = 0;
    await transfer();

    expect(isCompleteTransfer(sent.map((message) => decode(message)))).toBe(true);
    expect(snapshots).toEqual(['acc_1', undefined]);
  });

  it('reads a zone for a key of an account in a snapshot of the account', async () => {
    const apiKey = { keyId: 'k', accountId: 'acc_1', limits: null };
    await respond(async () => undefined, undefined, {
      accountKeys: {
        execute: async () => ({ ...KEY, apiKey }) as unknown as AccountTsigKey,
        recordUse: () => undefined,
      },
      updates: { ...noAccountKeys().updates, findZone: async () => LARGE_ZONE },
    });

    expect(snapshots).toEqual(['acc_1']);
  });

  it('is a failure with a response if it cannot be read at all', async () => {
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
