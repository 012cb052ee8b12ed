import { Operation } from '../../../../src/domain/registration/operations/operation';
import type { OperationRequest } from '../../../../src/domain/registration/operations/operation-request';
import { A_REGISTRANT, aDomain } from '../../../support/data/a-domain';
import {
  closeScenarios,
  openScenario,
  pass,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('work of several accounts at one registry', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  /** Names of the domains whose operations have been sent, in order. */
  const sent = () => around.registry.callsOf('setTransferLock').map(({ name }) => name);
  const unlock = (by: typeof OURS, domainId: string) =>
    void scenario.changeTransferLock.execute({ ...by, domainId, locked: false }).catch(() => undefined);
  /** One of `theirs.com`, after many of another account, at a registry that takes a second for each. */
  async function givenDomains(many: number): Promise<readonly string[]> {
    const ids = Array.from({ length: many }, (_, index) => `dom_${index}`);
    for (const id of ids) await around.givenDomain({ id, name: `${id.replace('_', '-')}.com` });
    await around.givenDomain({ id: 'dom_b', name: 'theirs.com', accountId: STRANGER.accountId });
    const setTransferLock = around.registry.setTransferLock.bind(around.registry);
    jest.spyOn(around.registry, 'setTransferLock').mockImplementation(async (...call) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return setTransferLock(...call);
    });
    return ids;
  }

  beforeEach(() => {
    ({ around, scenario } = openScenario({ concurrency: 1 }));
  });
  afterEach(() => closeScenarios(around, scenario));

  it('takes turns: an operation that is requested after fifty of another account is among the first three', async () => {
    const ids = await givenDomains(50);
    for (const id of ids) unlock(OURS, id);
    await pass(around, 0);

    unlock(STRANGER, 'dom_b');
    await pass(around, 5_000);

    expect(sent().slice(0, 3)).toContain('theirs.com');
  });

  it('takes turns, too, if another process has stored more operations than are read at once', async () => {
    const ids = await givenDomains(450);
    await around.storage.run(async ({ operations }) => {
      for (const domainId of [...ids, 'dom_b']) {
        const { accountId, actor } = domainId === 'dom_b' ? STRANGER : OURS;
        const intent = { id: around.ids.next('op'), accountId, actor, domainId };
        const request = { kind: 'set_transfer_lock', locked: false } as const;
        await operations.add(Operation.queue({ ...intent, request }, around.clock.now()));
      }
    });

    await pass(around, 5_000);

    expect(sent()).toContain('theirs.com');
  });

  it.each<OperationRequest>([
    { kind: 'set_nameservers', hosts: ['ns1.new.net', 'ns2.new.net'] },
    { kind: 'set_registrant', registrant: A_REGISTRANT },
    { kind: 'set_transfer_lock', locked: false },
    { kind: 'set_delegation_signers', signers: [] },
    { kind: 'issue_auth_code' },
    { kind: 'renew', years: 1, price: { minor: 1_099, currency: 'USD' }, currentExpiry: '2027-01-01T00:00:00.000Z' },
    { kind: 'delete', within: 'add_grace' },
    { kind: 'approve_transfer' },
  ])('takes turns, so that a command is sent before those of another account that wait: $kind', async (request) => {
    const perform = (accountId: string, name: string) => {
      const domain = aDomain({ id: name, accountId, name });
      const intent = { id: around.ids.next('op'), accountId, actor: OURS.actor, domainId: name };
      const operation = Operation.queue({ ...intent, request }, around.clock.now());
      return scenario.effects.perform(operation, domain).catch(() => undefined);
    };
    const ours = Array.from({ length: 20 }, (_, index) => perform(OURS.accountId, `a-${index}.com`));

    await Promise.all([...ours, perform(STRANGER.accountId, 'theirs.com')]);

    const names = [...new Set(around.registry.calls.map(({ name }) => name))];
    expect(names).toHaveLength(21);
    expect(names.slice(0, 3)).toContain('theirs.com');
  });

  it('takes turns: a transfer that is requested after fifty of another account is among the first three', async () => {
    const names = [...Array.from({ length: 50 }, (_, index) => `a-${index}.com`), 'theirs.com'];
    for (const name of names) around.registry.holdElsewhere(name, 'Sesame-0pen!');
    const requestTransfer = around.registry.requestTransfer.bind(around.registry);
    jest.spyOn(around.registry, 'requestTransfer').mockImplementation(async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return requestTransfer(request);
    });
    const request = { authCode: 'Sesame-0pen!', registrant: A_REGISTRANT };

    for (const name of names)
      await scenario.requestTransfer.execute({ ...(name === 'theirs.com' ? STRANGER : OURS), ...request, name });
    scenario.transfers.start();
    await pass(around, 5_000);

    const requested = around.registry.callsOf('requestTransfer').map(({ name }) => name);
    expect(requested.slice(0, 3)).toContain('theirs.com');
  });
});
