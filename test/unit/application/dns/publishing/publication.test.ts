import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const OURS_HOSTS = ['ns1.example.net', 'ns2.example.net'];
/** A key for the records of one name. */
const limitedTo = (name: string) =>
  ({ accountId: OURS.accountId, actor: { kind: 'key', id: 'k', limits: { names: [name] } } }) as const;
const SINCE = new Date('2026-05-01T00:00:00.000Z');

describe('publication', () => {
  let around: UseCaseContext;
  const read = (accountId = OURS.accountId) =>
    dnsUseCases(around).readPublication.execute({ ...OURS, accountId, domainId: 'dom_1' });
  const add = (waitsForPublication?: boolean, publicationWaitMs?: number) =>
    dnsUseCases(around, undefined, publicationWaitMs).addRecord.execute({
      ...OURS,
      domainId: 'dom_1',
      draft: { type: 'A', name: 'www', content: '192.0.2.1' },
      ...(waitsForPublication && { waitsForPublication }),
    });
  const serves = (secondary: string, serial: number) =>
    around.publisher.answersFrom(secondary, { kind: 'serves', serial, since: SINCE });

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
  });

  describe('of a zone', () => {
    it('is complete if every nameserver serves its serial, or a later one', async () => {
      await add();
      serves('ns1', 2);
      serves('ns2', 3);

      expect(await read()).toMatchObject({
        version: 2,
        published: true,
        secondaries: [
          { secondary: 'ns1', isCurrent: true },
          { secondary: 'ns2', isCurrent: true },
        ],
      });
    });

    it.each([
      ['is behind', () => serves('ns2', 1)],
      ['has not heard of the zone', () => around.publisher.answersFrom('ns2', { kind: 'unknown_zone' })],
      ['does not answer', () => around.publisher.answersFrom('ns2', { kind: 'unreachable' })],
    ])('is not where one of them %s', async (_how, answer) => {
      await add();
      serves('ns1', 2);
      answer();

      expect(await read()).toMatchObject({
        published: false,
        secondaries: [{ isCurrent: true }, { isCurrent: false }],
      });
    });

    it('is not complete without any nameserver', async () => {
      expect(await read()).toEqual({
        version: 1,
        serial: 1,
        failingAliases: [],
        published: false,
        secondaries: [],
        delegation: { state: 'ours', nameservers: OURS_HOSTS, ourNameservers: OURS_HOSTS, additionalNameservers: [] },
      });
    });

    it.each([
      ['ours', ['ns2.example.net', 'ns1.example.net']],
      ['partly', ['ns1.example.net', 'ns1.elsewhere.test']],
      ['elsewhere', ['ns1.elsewhere.test', 'ns2.elsewhere.test']],
    ] as const)('tells that the delegation is %s', async (state, nameservers) => {
      await around.givenDomain({ id: 'dom_2', name: 'delegated.com', nameservers });

      const report = await dnsUseCases(around).readPublication.execute({
        ...OURS,
        domainId: 'dom_2',
      });

      expect(report.delegation).toEqual({ state, nameservers, ourNameservers: OURS_HOSTS, additionalNameservers: [] });
    });

    it('names the NS records at the apex that are not of the delegation, unless the key may not see them', async () => {
      for (const [name, content] of [
        ['@', 'ns9.elsewhere.test'],
        ['@', 'ns1.example.net'],
        ['sub', 'ns8.elsewhere.test'],
      ] as const)
        await dnsUseCases(around).addRecord.execute({
          ...OURS,
          domainId: 'dom_1',
          draft: { type: 'NS', name, content, ttl: 60 },
        });
      const limited = limitedTo('www');

      expect((await read()).delegation.additionalNameservers).toEqual(['ns9.elsewhere.test']);
      expect(
        (await dnsUseCases(around).readPublication.execute({ ...limited, domainId: 'dom_1' })).delegation
          .additionalNameservers,
      ).toEqual([]);
    });

    it("does not report the publication of another account's zone", async () => {
      await expect(read(STRANGER.accountId)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    });
  });

  describe('with a write that waits for it', () => {
    it('is reported in the result if all secondaries have it', async () => {
      serves('ns1', 2);

      expect(await add(true)).toMatchObject({ zoneVersion: 2, published: true });
    });

    it('is awaited until the last secondary has it', async () => {
      serves('ns1', 1);
      const adding = add(true);
      await new Promise(setImmediate);
      serves('ns1', 2);

      expect(await adding).toMatchObject({ published: true });
    });

    it('is awaited up to a time limit; the change stays', async () => {
      serves('ns1', 1);

      expect(await add(true, 1)).toMatchObject({ published: false });
      expect(around.storage.tables.zones.get('dom_1')?.version).toBe(2);
    });

    it('is not awaited without secondaries', async () => {
      expect(await add(true)).toMatchObject({ published: false });
    });

    it('is not reported if the request did not ask for it', async () => {
      serves('ns1', 1);

      expect(await add()).not.toHaveProperty('published');
    });
  });
});
