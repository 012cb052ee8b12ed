import { createRegistryContext } from '../../../../src/testing/create-registry-context';
import type { RegistryFactory } from '../../../../src/infrastructure/registry/registry-adapter';
import { REGISTRY_ADAPTERS } from '../../../../src/infrastructure/registry/registry-factory';
import { DNSIMPLE_CREDENTIALS } from '../../../support/registrars/dnsimple-server';
import { NAMECOM_CREDENTIALS } from '../../../support/registrars/namecom-server';
import { REALTIMEREGISTER_CREDENTIALS } from '../../../support/registrars/realtimeregister-server';

const url = 'https://vendor.example';
const CASES: readonly (readonly [keyof typeof REGISTRY_ADAPTERS, object, number | undefined])[] = [
  ['namecom', { ...NAMECOM_CREDENTIALS, url }, undefined],
  ['dnsimple', { ...DNSIMPLE_CREDENTIALS, url }, undefined],
  ['realtimeregister', { ...REALTIMEREGISTER_CREDENTIALS, url }, undefined],
  ['epp', { host: 'epp.example', client_id: 'client', password: 'a password' }, 0],
];

describe('the read lag of an adapter', () => {
  it.each(CASES)('%s: is the operator’s if the registries file has one', async (adapter, settings, ownLag) => {
    const start: RegistryFactory = REGISTRY_ADAPTERS[adapter];
    const context = createRegistryContext({ settings: { ...settings } });
    const policiesOf = async (rules: object) => {
      const running = await start({ ...context, tlds: [{ suffix: 'com', ...rules }] });
      await running.close();
      return running.port.policies();
    };

    expect((await policiesOf({}))[0]?.readLagSeconds).toBe(ownLag);
    expect((await policiesOf({ readLagSeconds: 20 }))[0]?.readLagSeconds).toBe(20);
  });
});
