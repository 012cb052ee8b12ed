import type { RegistryDomain, RegistryMessage } from '../../../../../src/application/ports/registry/registry-port';
import type { RegistryTransfer } from '../../../../../src/application/ports/registry/registry-transfers';
import type { DsRecord } from '../../../../../src/domain/dns/delegation/ds-record';
import { DomainName } from '../../../../../src/domain/shared/domain-name';
import { validateMessage } from '../../../../../src/infrastructure/registry/routing/validate-facts';
import { RegistryGuard } from '../../../../../src/infrastructure/registry/routing/registry-guard';
import { DEFAULT_LIMITS } from '../../../../../src/infrastructure/registry/routing/registry-limits';
import { RegistryRouter } from '../../../../../src/infrastructure/registry/routing/registry-router';
import { MovableClock } from '../../../../support/fakes/movable-clock';
import { REGISTRANT } from '../../../../../src/testing/registry-fixtures';
import { RecordingLog } from '../../../../support/fakes/recording-log';
import { ScriptedRegistry } from '../../../../support/fakes/scripted-registry';
import { SOME_TLDS } from '../../../../support/data/some-tlds';

const NAME = DomainName.fromState('example.com');
const INCONCLUSIVE = { name: 'RegistryInconclusive', code: 'REGISTRY_UNAVAILABLE' };
const usd = (minor: number) => ({ minor, currency: 'USD' });

describe('validation of registry data', () => {
  let registry: ScriptedRegistry;
  let log: RecordingLog;
  let router: RegistryRouter;

  beforeEach(() => {
    registry = new ScriptedRegistry(
      new MovableClock(),
      SOME_TLDS.filter(({ suffix }) => suffix === 'com'),
    );
    log = new RecordingLog();
    router = new RegistryRouter([
      { registry: 'one', port: registry, guard: new RegistryGuard('one', DEFAULT_LIMITS, log) },
    ]);
  });

  it('passes valid data on unchanged', async () => {
    registry.hold('example.com', { nameservers: ['ns1.example.net', 'ns2.example.net'] });

    expect(await router.info(NAME)).toEqual(await registry.info(NAME));
    expect(log.entries).toEqual([]);
  });

  it.each([
    ['another name', { name: DomainName.fromState('other.com') }],
    ['an unknown status', { status: 'lost' as 'pending' }],
    ['an unknown direction', { direction: 'up' as 'in' }],
    ['an invalid date', { requestedAt: new Date(NaN) }],
    ['an end beyond a hundred years', { endsAt: new Date('2300-01-01T00:00:00Z') }],
  ])('treats a transfer with %s as inconclusive', async (_, part) => {
    const transfer: RegistryTransfer = { name: NAME, direction: 'in', status: 'pending', requestedAt: new Date() };
    registry.transferStatus = async () => ({ ...transfer, ...part });

    await expect(router.transferStatus(NAME)).rejects.toMatchObject(INCONCLUSIVE);
  });

  it('passes a valid transfer on, without an invalid charge', async () => {
    const transfer: RegistryTransfer = { name: NAME, direction: 'in', status: 'completed', requestedAt: new Date() };
    registry.transferStatus = async () => ({ ...transfer, charged: usd(-1) });

    expect(await router.transferStatus(NAME)).toEqual(transfer);
  });

  const DS: DsRecord = { keyTag: 65_535, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) };

  it.each<[string, readonly DsRecord[]]>([
    ['a key tag of 17 bits', [DS, { ...DS, keyTag: 65_536 }]],
    ['an algorithm of 9 bits', [{ ...DS, algorithm: 256 }]],
    ['a digest type that is no number', [{ ...DS, digestType: Number.NaN }]],
    ['an empty digest', [{ ...DS, digest: '' }]],
    ['a digest that is not hexadecimal', [{ ...DS, digest: 'XY' }]],
    ['a key that is not Base64', [{ ...DS, key: { flags: 257, algorithm: 13, publicKey: '<a>' } }]],
    ['a hundred and one records', Array.from({ length: 101 }, (_none, keyTag) => ({ ...DS, keyTag }))],
  ])('treats DS records with %s as inconclusive', async (_case, dsRecords) => {
    registry.dsRecords = async () => dsRecords;
    registry.setDsRecords = async () => dsRecords;

    await expect(router.dsRecords(NAME)).rejects.toMatchObject(INCONCLUSIVE);
    await expect(router.setDsRecords(NAME, [], 'op_1')).rejects.toMatchObject(INCONCLUSIVE);
  });

  it('passes valid DS records on', async () => {
    registry.dsRecords = async () => [DS];

    expect(await router.dsRecords(NAME)).toEqual([DS]);
  });

  it('skips names with an invalid expiry in a listing, with a WARN that names them', async () => {
    registry.hold('example.com');
    registry.hold('other.com', { expiresAt: new Date(NaN) });

    const [listing] = router.listings();

    expect((await listing?.list())?.names.map(({ name }) => name.value)).toEqual(['example.com']);
    expect(log.entries).toMatchObject([{ level: 'warn', facts: { registry: 'one', skipped: 1 } }]);
  });

  it('removes nameservers that are invalid, repeated or beyond the thirteenth, with a WARN', async () => {
    const good = Array.from({ length: 14 }, (_, index) => `ns${index}.example.net`);
    const bad = [
      '',
      'localhost',
      '192.0.2.1',
      'NS1.EXAMPLE.NET',
      'a b.example',
      `${'x'.repeat(64)}.example`,
      'ns1.example.net\u0000.',
      'ns0.example.net',
    ];
    registry.hold('example.com', {
      nameservers: [...bad, ...good, ...Array.from({ length: 3_000 }, (_, index) => `-${index}-.example`)],
    });

    const facts = await router.info(NAME);

    expect(facts?.nameservers).toEqual(['ns0.example.net', ...good.slice(1, 13)]);
    expect(log.entries).toMatchObject([
      { level: 'warn', facts: { registry: 'one', name: 'example.com', received: 3_022, ignored: 3_009 } },
    ]);
  });

  it('passes a registrant with a street of three lines on', async () => {
    const registrant = { ...REGISTRANT, address: { ...REGISTRANT.address, street: 'x'.repeat(769) } };
    registry.registrant = async () => registrant;

    expect(await router.registrant(NAME)).toEqual(registrant);
    expect(log.entries).toEqual([]);
  });

  it.each([
    ['a name of a megabyte', { ...REGISTRANT, lastName: 'x'.repeat(1_000_000) }],
    ['a city that is no text', { ...REGISTRANT, address: { ...REGISTRANT.address, city: 7 as unknown as string } }],
  ])('leaves out a registrant with %s, with a WARN', async (_title, registrant) => {
    registry.registrant = async () => registrant;

    expect(await router.registrant(NAME)).toBeUndefined();
    expect(log.entries).toMatchObject([{ level: 'warn', facts: { registry: 'one', name: 'example.com' } }]);
  });

  it.each<[string, Partial<RegistryDomain>]>([
    ['an expiry that is no date', { expiresAt: new Date(Number.NaN) }],
    ['an expiry in the year 20000', { expiresAt: new Date(Date.UTC(20_000, 0, 1)) }],
    ['a creation before the epoch', { createdAt: new Date(-1) }],
    ['a phase that ends in 300 years', { phase: 'redemption', phaseEndsAt: new Date(Date.UTC(2_326, 0, 1)) }],
    ['an unknown phase', { phase: 'sold' as RegistryDomain['phase'] }],
    ['another name', { name: DomainName.fromState('other.com') }],
  ])('rejects registry data with %s', async (_title, facts) => {
    registry.hold('example.com', facts);

    await expect(router.info(NAME)).rejects.toMatchObject(INCONCLUSIVE);
  });

  it.each([[-1], [Number.NaN], [0.5], [Number.MAX_VALUE]])('does not sell a name whose price is %d', async (minor) => {
    registry.setPrice('example.com', { renewal: usd(minor) });

    expect(await router.check([NAME])).toEqual([{ name: NAME, available: false }]);
    await expect(router.price(NAME)).rejects.toMatchObject(INCONCLUSIVE);
    expect(log.entries).toMatchObject([{ level: 'warn', facts: { registry: 'one', name: 'example.com' } }]);
  });

  it('keeps the further names of a message that the registry serves', () => {
    const at = new Date();
    const furtherNames = ['example.de', 'other.com'].map((name) => DomainName.fromState(name));
    const message = { id: '1', at, kind: 'changed', name: NAME, furtherNames, text: '' } as const;

    expect(validateMessage(message, ({ parent }) => parent === 'com', at)).toMatchObject({
      name: NAME,
      furtherNames: [{ value: 'other.com' }],
    });
  });

  it.each([
    ['example.com', { name: NAME }],
    ['example.de', { kind: 'other', foreignName: 'example.de' }],
    ['com', { kind: 'other', foreignName: 'com' }],
  ])('keeps the name %s of a message only if the registry serves it', async (name, expected) => {
    registry.send({ kind: 'deleted', name });

    const message: RegistryMessage | undefined = await router.queues()[0]?.poll();

    expect(message).toMatchObject(expected);
    expect(message?.name?.value).toBe(name === 'example.com' ? name : undefined);
  });
});
