import { People } from '../../../../src/application/access/approvals/people';
import { ProposalAudience } from '../../../../src/application/notices/proposal-audience';
import type { Actor } from '../../../../src/domain/access/actor';
import type { StoredNotice } from '../../../../src/domain/access/notices/notice';
import type { Role } from '../../../../src/domain/access/people/role';
import { Proposal, type ProposedWrite } from '../../../../src/domain/access/proposals/proposal';
import { givenAccount, issueApiKey } from '../../../support/use-cases/credentials';
import { givenPerson } from '../../../support/use-cases/people';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const RECORDS = { method: 'POST', path: '/api/domains/dom_1/dns/records' };

describe('the audience of a proposal', () => {
  let around: UseCaseContext;
  const people = new Map<string, Actor>();

  const person = async (name: string, role: Role, tags?: readonly string[]) => {
    const user = await givenPerson(around, { id: name, email: `${name}@example.com`, role, ...(tags && { tags }) });
    people.set(name, { kind: 'user', id: user.id });
  };
  const actor = (name: string): Actor => people.get(name) ?? { kind: 'user', id: name };
  const propose = async (proposer: Actor, write: ProposedWrite = RECORDS) => {
    const intent = { id: 'prop_1', accountId: OURS.accountId, proposer, write, sealedBody: null, plan: {} };
    const proposal = Proposal.propose({ ...intent, reason: 'Because' }, around.clock.now());
    await around.storage.run(({ proposals }) => proposals.add(proposal));
    return proposal;
  };
  const told = async (kind: 'proposal_waiting' | 'proposal_ended', proposalId = 'prop_1') => {
    const { proposals, accounts, apiKeys, users } = around.storage;
    const audience = new ProposalAudience(proposals, accounts, new People(apiKeys));
    const notice: StoredNotice = {
      sequence: 1,
      kind,
      cause: 'c',
      at: around.clock.now(),
      accountId: OURS.accountId,
      domain: null,
      data: { proposal_id: proposalId },
    };
    const isTold = await audience.of(OURS.accountId, notice);
    const names: string[] = [];
    for (const user of await users.ofAccount(OURS.accountId)) if (await isTold(user.toState())) names.push(user.id);
    return names.toSorted();
  };
  const withRules = () =>
    around.storage.run(async ({ accounts }) => {
      const account = await accounts.lock(OURS.accountId);
      if (account) await accounts.save({ ...account, approvalRules: [{ changes: ['records'] }] });
    });
  const keyOf = async (creator: Actor): Promise<Actor> => {
    const { key } = await issueApiKey(around).execute({ accountId: OURS.accountId, actor: creator, name: 'agent' });
    return { kind: 'key', id: key.toState().keyId };
  };

  beforeEach(async () => {
    around = new UseCaseContext();
    await givenAccount(around);
    await person('owner', 'owner');
    await person('manager', 'manager');
    await person('editor', 'dns-editor');
    await person('billing', 'billing');
    await person('viewer', 'viewer');
    await person('limited', 'manager', ['shop']);
  });

  it.each([
    ['records', RECORDS, ['editor', 'manager', 'owner']],
    ['renewals', { method: 'POST', path: '/api/domains/dom_1/renew' }, ['billing', 'manager', 'owner']],
    ['nameservers', { method: 'PUT', path: '/api/domains/dom_1/nameservers' }, ['manager', 'owner']],
    ['approval rules', { method: 'PUT', path: '/api/approval-rules' }, ['owner']],
  ])('of %s are the people whose role may change them, for all domains', async (_what, write, names) => {
    await propose({ kind: 'key', id: 'of_the_operator' }, write);

    expect(await told('proposal_waiting')).toEqual(names);
  });

  it('is not the person who proposed it, and with rules not who made the key', async () => {
    await propose(actor('editor'));
    expect(await told('proposal_waiting')).toEqual(['manager', 'owner']);
    around.storage.tables.proposals.clear();

    await propose(await keyOf(actor('owner')));
    expect(await told('proposal_waiting')).toEqual(['editor', 'manager', 'owner']);
    await withRules();
    expect(await told('proposal_waiting')).toEqual(['editor', 'manager']);
  });

  it('is no one once it is decided, or unknown', async () => {
    const proposal = await propose(actor('editor'));
    proposal.reject({ actor: actor('owner'), comment: null, at: around.clock.now() });
    await around.storage.run(({ proposals }) => proposals.save(proposal));

    expect([await told('proposal_waiting'), await told('proposal_ended', 'prop_2')]).toEqual([[], []]);
  });

  it('of its end is who proposed it, or who made the key, unless that person decided', async () => {
    const proposal = await propose(await keyOf(actor('owner')));
    expect(await told('proposal_ended')).toEqual(['owner']);
    proposal.reject({ actor: actor('owner'), comment: null, at: around.clock.now() });
    await around.storage.run(({ proposals }) => proposals.save(proposal));
    expect(await told('proposal_ended')).toEqual([]);
  });
});
