import { describe, expect, it } from '@jest/globals';
import type { RegistryAdapter } from '../infrastructure/registry/registry-adapter';
import type { DomainName } from '../domain/shared/domain-name';
import type { RegistryFeature } from '../domain/registration/names/tld-policy';
import type { LifecycleOptions, LifecycleScenario } from './lifecycle-scenario';
import { freshId, REGISTRANT, years } from './registry-fixtures';

type Call = (registry: RegistryAdapter, name: DomainName) => Promise<unknown>;

const PRICE = { minor: 10_00, currency: 'USD' };

/** The methods of each feature. The others change how a method works. */
const METHODS: { readonly [F in RegistryFeature]?: readonly Call[] } = {
  restore: [(registry, name) => registry.restore(name, PRICE, freshId())],
  delete: [(registry, name) => registry.delete(name, freshId())],
  auth_code: [(registry, name) => registry.issueAuthCode(name, freshId())],
  withdraw_auth_code: [(registry, name) => registry.withdrawAuthCode(name, freshId())],
  list: [(registry) => registry.list()],
  transfer_in: [
    (registry, name) => registry.transferPrice(name),
    (registry, name) =>
      registry.requestTransfer({
        name,
        term: years(1),
        registrant: REGISTRANT,
        authCode: 'any auth code',
        price: PRICE,
        transactionId: freshId(),
      }),
  ],
  cancel_transfer: [(registry, name) => registry.cancelTransfer(name, freshId())],
  decide_transfer: [
    (registry, name) => registry.approveTransfer(name, freshId()),
    (registry, name) => registry.rejectTransfer(name, freshId()),
  ],
  delegation_signers: [
    (registry, name) => registry.dsRecords(name),
    (registry, name) => registry.setDsRecords(name, [], freshId()),
  ],
  renewal: [(registry, name) => registry.renew(name, new Date(), years(1), freshId())],
  registrant_change: [(registry, name) => registry.setRegistrant(name, REGISTRANT, freshId())],
  transfer_lock: [(registry, name) => registry.setTransferLock(name, false, freshId())],
  registrar_renewal: [(registry, name) => registry.setRegistrarRenewal(name, true, freshId())],
};

/** What the vendor lacks, as declared in the policy of the TLD. */
export function unsupportedContract(scenario: LifecycleScenario, { tld, unsupported }: LifecycleOptions): void {
  /** A vendor without `delete` may still delete names in their add grace period. */
  const needsAge = (feature: RegistryFeature) => feature === 'delete' && !unsupported.includes('add_grace');
  const ruleOn = (feature: RegistryFeature) => scenario.rule(needsAge(feature) ? ['advance'] : []);
  const aName = (feature: RegistryFeature) => (needsAge(feature) ? scenario.aNamePastAddGrace() : scenario.aName());

  describe('features that the vendor lacks', () => {
    it(`are the ones that the policy of .${tld} declares`, () => {
      expect((scenario.policy.unsupported ?? []).toSorted()).toEqual(unsupported.toSorted());
    });

    for (const feature of unsupported.filter((each) => METHODS[each]))
      ruleOn(feature)(`reject each method of ${feature} as unsupported`, async () => {
        const name = await aName(feature);

        for (const call of METHODS[feature] ?? [])
          await expect(call(scenario.registry, name)).rejects.toMatchObject({
            code: 'REGISTRY_REJECTED',
            reason: 'unsupported',
          });
      });
  });
}
