import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargedDomain, RegistryDomain } from '../application/ports/registry/registry-port';
import type { RegistryAdapter } from '../infrastructure/registry/registry-adapter';
import { DomainName } from '../domain/registration/domain-name';
import { addYears, sameDay } from '../domain/shared/calendar';
import { isWithin } from '../domain/shared/money';
import { lifecycleContract } from './lifecycle-contract';
import { freshHosts, freshId, freshName, HOSTS, register, REGISTRANT, years } from './registry-fixtures';
import type { TestControl, TestControls } from './test-controls';

export interface RegistryUnderTest {
  readonly registry: RegistryAdapter;
  /** The same registry after a restart of ours. */
  reopen(): Promise<RegistryAdapter>;
  close(): Promise<void>;
  /** What the vendor's test system lets a test do. */
  readonly controls?: TestControls;
}

/** What a vendor may lack; everything else is essential. */
export type Ability =
  /** Refuses an amount that differs from what it asks. */
  | 'price_guard'
  /** Takes a registration back within days, at once and for good. */
  | 'add_grace'
  /** Adds a year by itself to a name that expires. */
  | 'auto_renew';

export interface ContractOptions {
  /** A TLD in which names may be registered at will; `com` where absent. */
  readonly tld?: string;
  /** What the vendor lacks: the rules about it are skipped, and said to be. */
  readonly lacks?: readonly Ability[];
  /** The hands that the vendor's test system has: the rules that need another one are skipped, and said to be. */
  readonly controls?: readonly TestControl[];
}

/** What every implementation of `RegistryAdapter` must do, whatever stands behind it. */
export function registryContract(
  title: string,
  open: () => Promise<RegistryUnderTest>,
  { tld = 'com', lacks = [], controls = [] }: ContractOptions = {},
): void {
  const ruleOn = (ability: Ability) => (lacks.includes(ability) ? it.skip : it);
  const aName = () => freshName(tld);

  describe(title, () => {
    let subject: RegistryUnderTest;
    let registry: RegistryAdapter;

    beforeAll(async () => {
      subject = await open();
      registry = subject.registry;
    }, 60_000);
    afterAll(() => subject.close());

    it('answers a check in the order asked, and sells nothing under an unknown TLD', async () => {
      const taken = aName();
      await register(registry, taken);
      const names = [aName(), taken, DomainName.parse('some.unknowntld')];

      const answers = await registry.check(names);

      expect(answers.map(({ name, available }) => [name.value, available])).toEqual([
        [names[0]?.value, true],
        [taken.value, false],
        ['some.unknowntld', false],
      ]);
      expect(answers.map(({ price }) => price !== undefined)).toEqual([true, false, false]);
    });

    it('registers a name locked, delegated, and for the term asked', async () => {
      const name = aName();

      const registered = await register(registry, name, 3);

      expect(registered).toMatchObject({
        ours: true,
        createdByUs: true,
        transferLocked: true,
        nameservers: HOSTS.hosts,
      });
      expect(sameDay(registered.expiresAt, addYears(registered.createdAt, 3))).toBe(true);
      expect(await registry.info(name)).toEqual(factsOf(registered));
    });

    it('refuses to register a name twice', async () => {
      const name = aName();
      await register(registry, name);

      await expect(register(registry, name)).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
        reason: 'unavailable',
      });
    });

    ruleOn('price_guard')('refuses another price than its own, and registers nothing', async () => {
      const name = aName();
      const [offer] = await registry.check([name]);
      const price = { minor: 1, currency: offer?.price?.registration.currency ?? '' };

      const attempt = registry.register({
        name,
        term: years(1),
        registrant: REGISTRANT,
        nameservers: HOSTS,
        price,
        transactionId: freshId(),
      });

      await expect(attempt).rejects.toMatchObject({ reason: 'price_changed' });
      expect(await registry.info(name)).toBeUndefined();
    });

    it('registers for the fee that it tells of each term, and charges no more', async () => {
      for (const count of [1, 2, 5]) {
        const name = aName();
        const [offer] = await registry.check([name], years(count));
        const price = offer?.price?.registration ?? { minor: NaN, currency: '' };

        const registered = await registry.register({
          name,
          term: years(count),
          registrant: REGISTRANT,
          nameservers: HOSTS,
          price,
          transactionId: freshId(),
        });

        expect(sameDay(registered.expiresAt, addYears(registered.createdAt, count))).toBe(true);
        expect(isWithin(registered.charged ?? price, price)).toBe(true);
      }
    });

    it('renews from the expiry quoted, and refuses the repetition', async () => {
      const name = aName();
      const { expiresAt } = await register(registry, name);

      const renewed = await registry.renew(name, expiresAt, years(2), freshId());

      expect(sameDay(renewed.expiresAt, addYears(expiresAt, 2))).toBe(true);
      await expect(registry.renew(name, expiresAt, years(2), freshId())).rejects.toMatchObject({
        reason: 'expiry_differs',
      });
      expect(await registry.info(name)).toEqual(factsOf(renewed));
    });

    ruleOn('price_guard')('refuses to renew at another price than its own', async () => {
      const name = aName();
      const { expiresAt } = await register(registry, name);
      const { renewal } = await registry.price(name, years(2));

      await expect(
        registry.renew(name, expiresAt, years(2), freshId(), { ...renewal, minor: 1 }),
      ).rejects.toMatchObject({ reason: 'price_changed' });
      const renewed = await registry.renew(name, expiresAt, years(2), freshId(), renewal);

      expect(sameDay(renewed.expiresAt, addYears(expiresAt, 2))).toBe(true);
      expect(isWithin(renewed.charged ?? renewal, renewal)).toBe(true);
    });

    it('refuses a renewal past ten years from now', async () => {
      const name = aName();
      const { expiresAt } = await register(registry, name);

      await expect(registry.renew(name, expiresAt, years(10), freshId())).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
      });
    });

    it('sets the transfer lock, and takes the repetition for success', async () => {
      const name = aName();
      await register(registry, name);

      await registry.setTransferLock(name, false, freshId());
      const again = await registry.setTransferLock(name, false, freshId());

      expect(again.transferLocked).toBe(false);
      await registry.setRegistrant(name, { ...REGISTRANT, firstName: 'Grace' }, freshId());
    });

    it('replaces the whole delegation, and takes the repetition for success', async () => {
      const name = aName();
      await register(registry, name);
      const others = freshHosts(3);

      await registry.setNameservers(name, others, [], freshId());
      const again = await registry.setNameservers(name, others, [], freshId());

      expect(again.nameservers.toSorted()).toEqual(others.hosts.toSorted());
    });

    it('issues another auth code each time, with an end in the future', async () => {
      const name = aName();
      const { createdAt } = await register(registry, name);

      const first = await registry.issueAuthCode(name, freshId());
      const second = await registry.issueAuthCode(name, freshId());

      expect(second.code).not.toBe(first.code);
      expect(second.expiresAt.getTime()).toBeGreaterThan(createdAt.getTime());
    });

    it('withdraws an auth code, whether or not there is one', async () => {
      const name = aName();
      await register(registry, name);
      await registry.issueAuthCode(name, freshId());

      await registry.withdrawAuthCode(name, freshId());
      await registry.withdrawAuthCode(name, freshId());
    });

    ruleOn('add_grace')('lets go of a name at once within the add grace period, and knows it no more', async () => {
      const name = aName();
      await register(registry, name);

      expect(await registry.delete(name, freshId())).toBeUndefined();

      expect(await registry.info(name)).toBeUndefined();
      await expect(registry.delete(name, freshId())).rejects.toMatchObject({ reason: 'not_held' });
    });

    it('refuses to restore a name that was never deleted', async () => {
      const name = aName();
      await register(registry, name);
      const { restore } = await registry.price(name);

      await expect(registry.restore(name, restore, freshId())).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
        reason: 'status',
      });
    });

    it('acknowledges a message that it never sent', async () => {
      await registry.acknowledge('987654321');
    });

    it('refuses changes to a name that nobody holds', async () => {
      const name = aName();

      expect(await registry.info(name)).toBeUndefined();
      await expect(registry.setTransferLock(name, true, freshId())).rejects.toMatchObject({ reason: 'not_held' });
      await expect(registry.renew(name, new Date(), years(1), freshId())).rejects.toMatchObject({ reason: 'not_held' });
    });

    it('remembers over a restart of ours', async () => {
      const name = aName();
      const registered = await register(registry, name);

      registry = await subject.reopen();

      expect(await registry.info(name)).toEqual(factsOf(registered));
    });

    lifecycleContract(() => ({ ...subject, registry }), { tld, lacks, controls });
  });
}

/** What `info` shows of it afterwards: not what was charged. */
function factsOf({ charged: _charged, ...facts }: ChargedDomain): RegistryDomain {
  return facts;
}
