import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargedDomain, RegistryDomain } from '../application/ports/registry/registry-port';
import type { RegistryAdapter } from '../infrastructure/registry/registry-adapter';
import { DomainName } from '../domain/shared/domain-name';
import { Nameservers } from '../domain/registration/nameservers';
import { addYears, sameDay } from '../domain/shared/time/calendar';
import { isWithin } from '../domain/shared/money';
import type { RegistrationTerm } from '../domain/registration/registration-term';
import type { RegistryFeature } from '../domain/registration/names/tld-policy';
import { lifecycleContract } from './lifecycle-contract';
import {
  freshHosts,
  freshId,
  freshName,
  HOSTS,
  orderOf,
  register,
  REGISTRANT,
  shortestRenewal,
  years,
  restorePrices,
} from './registry-fixtures';
import type { TestControl, TestControls } from './test-controls';

export interface RegistryUnderTest {
  readonly registry: RegistryAdapter;
  /** Opens the registry again, as after a kill of the service, with the same context: it has what the adapter stored. */
  reopen(): Promise<RegistryAdapter>;
  close(): Promise<void>;
  readonly controls?: TestControls;
}

export interface ContractOptions {
  /** A TLD for test registrations; `com` if absent. */
  readonly tld?: string;
  /** Features that the vendor lacks, as in its policies. Jest reports their rules as skipped. */
  readonly unsupported?: readonly RegistryFeature[];
  /** The controls of `RegistryUnderTest.controls`. Jest reports rules that need others as skipped. */
  readonly controls?: readonly TestControl[];
}

/** Declares the contract tests of a `RegistryAdapter`. */
export function registryContract(
  title: string,
  open: () => Promise<RegistryUnderTest>,
  { tld = 'com', unsupported = [], controls = [] }: ContractOptions = {},
): void {
  const ruleOn = (feature: RegistryFeature) => (unsupported.includes(feature) ? it.skip : it);
  const aName = () => freshName(tld);

  describe(title, () => {
    let subject: RegistryUnderTest;
    let registry: RegistryAdapter;

    beforeAll(async () => {
      subject = await open();
      registry = subject.registry;
    }, 60_000);
    afterAll(() => subject.close());

    it('returns check results in the requested order, and no name under an unknown TLD as available', async () => {
      const taken = aName();
      await register(registry, taken);
      const names = [aName(), taken, DomainName.parse('some.unknowntld')];

      const results = await registry.check(names);

      expect(results.map(({ name, available }) => [name.value, available])).toEqual([
        [names[0]?.value, true],
        [taken.value, false],
        ['some.unknowntld', false],
      ]);
      expect(results.map(({ price }) => price !== undefined)).toEqual([true, false, false]);
    });

    it('registers a name with a transfer lock if it has one, its nameservers and the requested term', async () => {
      const name = aName();
      const [term = 1] = soldTerms(registry, tld, [3, 1]);

      const registered = await register(registry, name, term);

      expect(registered).toMatchObject({ sponsoredByUs: true, createdByUs: true, nameservers: HOSTS.hosts });
      // A vendor without the feature can lock names by itself.
      if (!unsupported.includes('transfer_lock')) expect(registered.transferLocked).toBe(true);
      expect(sameDay(registered.expiresAt, addYears(registered.createdAt, term))).toBe(true);
      expect(await registry.info(name)).toEqual(factsOf(registered));
    });

    it('rejects a second registration of a name', async () => {
      const name = aName();
      await register(registry, name);

      await expect(register(registry, name)).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
        reason: 'unavailable',
      });
    });

    ruleOn('price_guard')(
      "rejects a registration at another price than the registry's, and registers nothing",
      async () => {
        const name = aName();
        const [offer] = await registry.check([name]);
        const price = { minor: 1, currency: offer?.price?.registration.currency ?? '' };

        const attempt = registry.register(orderOf(name, 1, price));

        await expect(attempt).rejects.toMatchObject({ reason: 'price_changed' });
        expect(await registry.info(name)).toBeUndefined();
      },
    );

    it('registers at the fee that check returned for each term, and charges no more', async () => {
      for (const count of soldTerms(registry, tld, [1, 2, 5])) {
        const name = aName();
        const [offer] = await registry.check([name], years(count));
        const price = offer?.price?.registration ?? { minor: NaN, currency: '' };

        const registered = await registry.register(orderOf(name, count, price));

        expect(sameDay(registered.expiresAt, addYears(registered.createdAt, count))).toBe(true);
        expect(isWithin(registered.charged ?? price, price)).toBe(true);
      }
    });

    ruleOn('renewal')('renews from the current expiry, and rejects the repetition', async () => {
      const name = aName();
      const { expiresAt } = await register(registry, name);

      const term = renewalTerm(registry, tld);

      const renewed = await registry.renew(name, expiresAt, term, freshId());

      expect(sameDay(renewed.expiresAt, addYears(expiresAt, term.years))).toBe(true);
      await expect(registry.renew(name, expiresAt, term, freshId())).rejects.toMatchObject({
        reason: 'expiry_differs',
      });
      expect(await registry.info(name)).toEqual(factsOf(renewed));
    });

    ruleOn('price_guard')("rejects a renewal at another price than the registry's", async () => {
      const name = aName();
      const { expiresAt } = await register(registry, name);
      const term = renewalTerm(registry, tld);
      const { renewal } = await registry.price(name, term);

      await expect(registry.renew(name, expiresAt, term, freshId(), { ...renewal, minor: 1 })).rejects.toMatchObject({
        reason: 'price_changed',
      });
      const renewed = await registry.renew(name, expiresAt, term, freshId(), renewal);

      expect(sameDay(renewed.expiresAt, addYears(expiresAt, term.years))).toBe(true);
      expect(isWithin(renewed.charged ?? renewal, renewal)).toBe(true);
    });

    ruleOn('renewal')('rejects a renewal to more than ten years ahead', async () => {
      const name = aName();
      const { expiresAt } = await register(registry, name);

      await expect(registry.renew(name, expiresAt, years(10), freshId())).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
      });
    });

    ruleOn('transfer_lock')('changes the transfer lock, and accepts the repetition', async () => {
      const name = aName();
      await register(registry, name);

      await registry.setTransferLock(name, false, freshId());
      const again = await registry.setTransferLock(name, false, freshId());

      expect(again.transferLocked).toBe(false);
      if (!unsupported.includes('registrant_change'))
        await registry.setRegistrant(name, { ...REGISTRANT, firstName: 'Grace' }, freshId());
    });

    it('shows the registrant of a name that we sponsor, if it shows any', async () => {
      const name = aName();
      await register(registry, name);
      const another = { ...REGISTRANT, firstName: 'Grace', organization: 'Namewright Ltd' };

      const first = await registry.registrant(name);
      expect(first ?? REGISTRANT).toEqual(REGISTRANT);
      if (unsupported.includes('registrant_change')) return;
      await registry.setRegistrant(name, another, freshId());
      const second = await registry.registrant(name);

      expect(second ?? another).toEqual(another);
    });

    it('replaces the nameservers, and accepts the repetition', async () => {
      const name = aName();
      await register(registry, name);
      const others = freshHosts(3);

      await registry.setNameservers(name, others, [], freshId());
      const again = await registry.setNameservers(name, others, [], freshId());

      expect(again.nameservers.toSorted()).toEqual(others.hosts.toSorted());
    });

    it('changes the addresses of existing nameservers under the name, repeatably, where the policy offers that', async () => {
      if (registry.policies().find(({ suffix }) => suffix === tld)?.glue === undefined) return;
      const name = aName();
      await register(registry, name);
      const host = `ns1.${name.value}`;
      const hosts = Nameservers.of([host, ...freshHosts(2).hosts.slice(1)]);
      const glue = (address: string, ...others: string[]) =>
        [host, ...others].map((each) => ({ host: each, addresses: [address] }));
      await registry.setNameservers(name, hosts, glue('192.0.2.1'), freshId());

      for (let time = 0; time < 2; time += 1)
        await registry.setGlue?.(name, glue('192.0.2.2', `ns9.${name.value}`), freshId());

      expect((await registry.info(name))?.nameservers.toSorted()).toEqual(hosts.hosts.toSorted());
    });

    ruleOn('auth_code')('issues an auth code on each call, with an expiry in the future', async () => {
      const name = aName();
      const { createdAt } = await register(registry, name);

      const first = await registry.issueAuthCode(name, freshId());
      const second = await registry.issueAuthCode(name, freshId());

      if (!unsupported.includes('withdraw_auth_code')) expect(second.code).not.toBe(first.code);
      expect(second.expiresAt.getTime()).toBeGreaterThan(createdAt.getTime());
    });

    ruleOn('withdraw_auth_code')('withdraws an auth code, and accepts the repetition', async () => {
      const name = aName();
      await register(registry, name);
      await registry.issueAuthCode(name, freshId());

      await registry.withdrawAuthCode(name, freshId());
      await registry.withdrawAuthCode(name, freshId());
    });

    ruleOn('add_grace')('deletes a name in the add grace period at once, and rejects the repetition', async () => {
      const name = aName();
      await register(registry, name);

      expect(await registry.delete(name, freshId())).toBeUndefined();

      expect(await registry.info(name)).toBeUndefined();
      await expect(registry.delete(name, freshId())).rejects.toMatchObject({ reason: 'not_held' });
    });

    ruleOn('restore')('rejects a restore of a name that is not deleted', async () => {
      const name = aName();
      await register(registry, name);
      const { restore } = await restorePrices(registry, name);

      await expect(registry.restore(name, restore, freshId())).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
        reason: 'status',
      });
    });

    it('accepts the acknowledgement of an unknown message', async () => {
      await registry.acknowledge('987654321');
    });

    it('rejects changes to an unregistered name', async () => {
      const name = aName();

      expect(await registry.info(name)).toBeUndefined();
      await expect(registry.setNameservers(name, freshHosts(2), [], freshId())).rejects.toMatchObject({
        reason: 'not_held',
      });
      if (!unsupported.includes('transfer_lock'))
        await expect(registry.setTransferLock(name, true, freshId())).rejects.toMatchObject({ reason: 'not_held' });
      if (!unsupported.includes('renewal'))
        await expect(registry.renew(name, new Date(), shortestRenewal(registry, tld), freshId())).rejects.toMatchObject(
          {
            reason: 'not_held',
          },
        );
    });

    it('shows the same data after it is reopened', async () => {
      const name = aName();
      const registered = await register(registry, name);

      registry = await subject.reopen();

      expect(await registry.info(name)).toEqual(factsOf(registered));
    });

    const reopen = async () => {
      registry = await subject.reopen();
    };
    lifecycleContract(() => ({ ...subject, registry, reopen }), { tld, unsupported, controls });
  });
}

/** Those of `counts` that are terms of registrations under `tld`. */
function soldTerms(registry: RegistryAdapter, tld: string, counts: readonly number[]): readonly number[] {
  const { min, max } = registry.policies().find(({ suffix }) => suffix === tld)?.years ?? { min: 1, max: 10 };
  return counts.filter((count) => count >= min && count <= max);
}

/** Two years if `tld` sells them, otherwise the shortest term. */
function renewalTerm(registry: RegistryAdapter, tld: string): RegistrationTerm {
  const { min = 1, max = 10 } = registry.policies().find(({ suffix }) => suffix === tld)?.renewalYears ?? {};
  return years(min <= 2 && max >= 2 ? 2 : min);
}

/** What `info` returns: the domain without the charge. */
function factsOf({ charged: _charged, ...facts }: ChargedDomain): RegistryDomain {
  return facts;
}
