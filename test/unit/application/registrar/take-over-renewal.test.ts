import type { RegistryFeature } from '../../../../src/domain/registration/names/tld-policy';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import { closeScenarios, openScenario, pass } from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

/** The scripted registry declares that it does not offer the switch. */
function offerSwitch({ tlds }: UseCaseContext, unsupported: readonly RegistryFeature[] = []): void {
  const com = tlds.forName(DomainName.parse('example.com'));
  if (com) jest.spyOn(tlds, 'forName').mockReturnValue({ ...com, unsupported });
}

describe('renewal by the registrar', () => {
  it.each([true, false])(
    'is turned off at the registrar before the service takes over, with auto-renewal %s',
    async (autoRenew) => {
      const { around, scenario } = openScenario();
      offerSwitch(around);
      await around.givenDomain({ id: 'dom_1', autoRenew: true, registrarRenews: true });
      const sent: unknown[] = [];
      around.registry.setRegistrarRenewal = async (...command) => {
        sent.push(command.slice(1));
      };

      const switching = scenario.takeOverRenewal.execute({ ...OURS, domainId: 'dom_1', autoRenew, enabled: false });
      await pass(around, 1_000);

      expect((await switching).domain.toState()).toMatchObject({ autoRenew, registrarRenews: false });
      expect(sent).toEqual([[false, expect.stringMatching(/^op-/)]]);
      expect(around.auditEntries.map(({ action }) => action)).toEqual(['domain.auto_renewal_changed']);
      await closeScenarios(around, scenario);
    },
  );

  it.each([
    ['stays off', { registrarRenews: false, autoRenew: true }, [], undefined],
    ['is turned on where only the registrar can renew', { registrarRenews: false, autoRenew: true }, ['renewal'], true],
    ['stays off without auto-renewal', { registrarRenews: false, autoRenew: false }, ['renewal'], undefined],
    ['is turned off without auto-renewal', { registrarRenews: true, autoRenew: false }, ['renewal'], false],
    ['stays on with auto-renewal', { registrarRenews: true, autoRenew: true }, ['renewal'], undefined],
    [
      'stays off where it cannot be switched',
      { registrarRenews: false, autoRenew: true },
      ['renewal', 'registrar_renewal'],
      undefined,
    ],
  ] as const)('%s: %j', async (_what, { registrarRenews, autoRenew }, unsupported, enabled) => {
    const { around, scenario } = openScenario();
    offerSwitch(around, unsupported);

    expect(scenario.takeOverRenewal.registrarRenewalFor({ name: 'example.com', registrarRenews }, { autoRenew })).toBe(
      enabled,
    );
    await closeScenarios(around, scenario);
  });

  it('cannot be taken over by the service if only the registrar can renew', async () => {
    const { around, scenario } = openScenario();
    offerSwitch(around, ['renewal']);
    await around.givenDomain({ id: 'dom_1', autoRenew: true, registrarRenews: true });

    const outcome = scenario.takeOverRenewal
      .execute({ ...OURS, domainId: 'dom_1', autoRenew: true, enabled: false })
      .catch((error: unknown) => error);
    await pass(around, 1_000);

    expect(await outcome).toMatchObject({ code: 'REGISTRY_REJECTED', reason: 'unsupported' });
    expect(around.storage.tables.operations.size).toBe(0);
    await closeScenarios(around, scenario);
  });

  it('stays on, and nothing is queued, if the registrar does not offer the switch', async () => {
    const { around, scenario } = openScenario();
    await around.givenDomain({ id: 'dom_1', autoRenew: true, registrarRenews: true });

    const outcome = scenario.takeOverRenewal
      .execute({ ...OURS, domainId: 'dom_1', autoRenew: true, enabled: false })
      .catch((error: unknown) => error);
    await pass(around, 1_000);

    expect(await outcome).toMatchObject({ code: 'REGISTRY_REJECTED', reason: 'unsupported' });
    expect(around.storage.tables.operations.size).toBe(0);
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ autoRenew: true, registrarRenews: true });
    await closeScenarios(around, scenario);
  });
});
