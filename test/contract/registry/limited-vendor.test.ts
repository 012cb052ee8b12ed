import { unsupportedBy } from '../../../src/application/ports/registry/registry-errors';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';
import { registryContract } from '../../../src/testing/registry-contract';
import type { RegistryFeature, TldPolicy } from '../../../src/domain/registration/names/tld-policy';
import { RegistryRejected } from '../../../src/application/ports/registry/registry-errors';
import { MovableClock } from '../../support/fakes/movable-clock';
import { ScriptedRegistry } from '../../support/fakes/scripted-registry';

const UNSUPPORTED: readonly RegistryFeature[] = ['registrar_renewal', 'hosted_zone', 'transfer_lock', 'restore'];

/** Renews for one year only, locks names by itself, and neither restores nor prices that. */
function limitedVendor(): RegistryAdapter {
  const registry = new ScriptedRegistry(new MovableClock());
  const vendor: Partial<RegistryAdapter> = {
    policies: () =>
      registry.policies().map((policy): TldPolicy => ({
        ...policy,
        renewalYears: { min: 1, max: 1 },
        unsupported: UNSUPPORTED,
      })),
    check: async (names, term) =>
      (await registry.check(names, term)).map((offer) => {
        if (!offer.price) return offer;
        const { restore: _restore, ...price } = offer.price;
        return { ...offer, price };
      }),
    renew: async (name, currentExpiry, term, transactionId, price) => {
      if (term.years !== 1) throw new RegistryRejected('policy', 'renewals are for one year');
      return registry.renew(name, currentExpiry, term, transactionId, price);
    },
    setTransferLock: () => Promise.reject(unsupportedBy('The vendor', 'transfer locks')),
    restore: () => Promise.reject(unsupportedBy('The vendor', 'restores')),
  };
  return new Proxy<RegistryAdapter>(registry, {
    get: (target, property) => {
      const member: unknown = Reflect.get(property in vendor ? vendor : target, property);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

registryContract(
  'registry contract: a vendor with one-year renewals, its automatic lock and no restores',
  async () => {
    const registry = limitedVendor();
    return { registry, reopen: async () => registry, close: async () => undefined };
  },
  { unsupported: UNSUPPORTED },
);
