import { FindOperation } from '../../../../src/application/registration/operations/find-operation';
import { ListOperations } from '../../../../src/application/registration/operations/list-operations';
import {
  closeScenarios,
  openScenario,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const COMMAND = { ...OURS, domainId: 'dom_1' };

let around: UseCaseContext;
let scenario: RegistrationScenario;
const find = (operationId: string, accountId = OURS.accountId) =>
  new FindOperation(around.storage.operations, around.storage.domains).execute({ ...OURS, accountId, operationId });
const list = () => new ListOperations(around.storage.domains, around.storage.operations);

beforeEach(async () => {
  ({ around, scenario } = openScenario());
  await around.givenDomain();
});

afterEach(() => closeScenarios(around, scenario));

describe('finding an operation', () => {
  it('returns its state', async () => {
    const { operation } = await scenario.issueAuthCode.execute(COMMAND);

    expect((await find(operation.id)).toState()).toMatchObject({ domainId: 'dom_1', status: 'succeeded', attempts: 1 });
  });

  it('works even if nothing is left of its domain', async () => {
    const { operation } = await scenario.issueAuthCode.execute(COMMAND);
    await around.storage.run(async ({ domains }) => {
      const domain = await domains.lockAny('dom_1');
      domain?.markDeleted(around.lifecycleClock.now());
      if (domain) await domains.save(domain);
    });

    expect((await find(operation.id)).id).toBe(operation.id);
  });

  it("does not find an unknown operation or another account's", async () => {
    const { operation } = await scenario.issueAuthCode.execute(COMMAND);

    await expect(find('op_unknown')).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' });
    await expect(find(operation.id, STRANGER.accountId)).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' });
  });
});

describe('listing operations', () => {
  it('returns those of a domain, newest first, by page or all', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'other.com' });
    await scenario.issueAuthCode.execute(COMMAND);
    await scenario.renewDomain.execute(COMMAND);
    await scenario.issueAuthCode.execute({ ...COMMAND, domainId: 'dom_2' });
    around.clock.advance({ ms: 1 });
    await scenario.changeTransferLock.execute({ ...COMMAND, locked: false });

    const first = await list().page(OURS, 'dom_1', 2);
    const second = await list().page(OURS, 'dom_1', 2, first.at(-1));
    const all = [];
    for await (const page of await list().all(OURS, 'dom_1')) all.push(...page);

    expect([...first, ...second].map(({ request }) => request.kind)).toEqual([
      'set_transfer_lock',
      'renew',
      'issue_auth_code',
    ]);
    expect(all).toEqual([...first, ...second]);
  });

  it.each([
    ['that is not there', OURS.accountId, 'dom_unknown'],
    ['of another account', STRANGER.accountId, 'dom_1'],
  ])('finds no domain %s, and says so before the first page', async (_which, accountId, domainId) => {
    await expect(list().page({ ...OURS, accountId }, domainId, 10)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    await expect(list().all({ ...OURS, accountId }, domainId)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
  });
});
