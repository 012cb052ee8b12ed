import { DomainName } from '../../../../src/domain/registration/domain-name';
import { closeScenarios, openScenario, pass } from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

/** The scripted registry declares that it does not offer the switch. */
function offerSwitch({ tlds }: UseCaseContext): void {
  const com = tlds.forName(DomainName.parse('example.com'));
  if (com) jest.spyOn(tlds, 'forName').mockReturnValue({ ...com, unsupported: [] });
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

      const switching = scenario.takeOverRenewal.execute({ ...OURS, domainId: 'dom_1', autoRenew });
      await pass(around, 1_000);

      expect((await switching).domain.toState()).toMatchObject({ autoRenew, registrarRenews: false });
      expect(sent).toEqual([[false, expect.stringMatching(/^op-/)]]);
      expect(around.auditEntries.map(({ action }) => action)).toEqual(['domain.auto_renewal_changed']);
      await closeScenarios(around, scenario);
    },
  );

  it('stays on, and nothing is queued, if the registrar does not offer the switch', async () => {
    const { around, scenario } = openScenario();
    await around.givenDomain({ id: 'dom_1', autoRenew: true, registrarRenews: true });

    const outcome = scenario.takeOverRenewal
      .execute({ ...OURS, domainId: 'dom_1', autoRenew: true })
      .catch((error: unknown) => error);
    await pass(around, 1_000);

    expect(await outcome).toMatchObject({ code: 'REGISTRY_REJECTED', reason: 'unsupported' });
    expect(around.storage.tables.operations.size).toBe(0);
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ autoRenew: true, registrarRenews: true });
    await closeScenarios(around, scenario);
  });
});
