import { ExpireProposals } from '../../../src/application/proposals/expire-proposals';
import { openAccount } from '../../../src/domain/access/account';
import { Proposal } from '../../../src/domain/access/proposals/proposal';
import { SqlProposalReader } from '../../../src/infrastructure/persistence/access/proposals/sql-proposals';
import { SqlEventFeed } from '../../../src/infrastructure/persistence/events/sql-event-feed';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { SqlLeases } from '../../../src/infrastructure/persistence/sql-leases';
import { onEachDatabase } from '../../support/databases/each-database';
import { queryPlans } from '../../support/databases/query-plans';
import { MovableClock } from '../../support/fakes/movable-clock';
import { RecordingLog } from '../../support/fakes/recording-log';

const PROPOSER = { kind: 'user', id: 'usr_1' } as const;
const OTHER = { kind: 'user', id: 'usr_2' } as const;

onEachDatabase('the end of proposals', (database) => {
  const ids = new RandomIds();
  const clock = new MovableClock();
  let accountId: string;

  const unitOfWork = () => new SqlUnitOfWork(database(), ids, clock, clock);
  const reader = () => new SqlProposalReader(database());
  const process = () =>
    new ExpireProposals(reader(), unitOfWork(), new SqlLeases(database()), clock, new RecordingLog());
  const { signal } = new AbortController();
  const propose = async (decide: (proposal: Proposal) => void = () => undefined) => {
    const write = { method: 'PUT', path: '/api/domains/dom_1/tags' };
    const given = {
      id: ids.next('prop'),
      accountId,
      proposer: PROPOSER,
      write,
      sealedBody: null,
      reason: 'New',
      plan: {},
    };
    const proposal = Proposal.propose(given, clock.now());
    decide(proposal);
    await unitOfWork().run(({ proposals }) => proposals.add(proposal));
    return proposal.id;
  };
  const told = async () => {
    const page = await new SqlEventFeed(database()).read(accountId, { types: ['proposal.expired'] }, 100);
    return 'events' in page ? page.events.map(({ data }) => data['proposal_id']) : [];
  };
  const statusOf = async (id: string) => (await reader().find(accountId, id))?.toState().status;

  beforeEach(async () => {
    accountId = ids.next('acc');
    await unitOfWork().run(({ accounts }) => accounts.add(openAccount(accountId, 'An account', clock.now())));
  });

  it('is told once, by processes that look at the same time and again', async () => {
    const id = await propose();
    await process().runDue(signal);
    expect([await told(), await statusOf(id)]).toEqual([[], 'open']);
    clock.advance({ days: 8 });

    await Promise.all(Array.from({ length: 5 }, () => process().runDue(signal)));
    await process().runDue(signal);

    expect([await told(), await statusOf(id)]).toEqual([[id], 'expired']);
  });

  it('is told of an acceptance whose outcome stayed unknown, and not of what was decided', async () => {
    const decision = { actor: OTHER, comment: null, at: clock.now() };
    const accepting = await propose((proposal) => proposal.accept(decision));
    const rejected = await propose((proposal) => proposal.reject(decision));
    clock.advance({ days: 8 });

    await process().runDue(signal);

    expect(await told()).toEqual([accepting]);
    expect([await statusOf(accepting), await statusOf(rejected)]).toEqual(['expired', 'rejected']);
  });

  it('is told of more proposals than are read at once', async () => {
    const proposed = await Promise.all(Array.from({ length: 100 }, () => propose()));
    proposed.push(await propose());
    clock.advance({ days: 8 });

    await process().runDue(signal);

    const states = await Promise.all(proposed.map(statusOf));
    expect(new Set(states)).toEqual(new Set(['expired']));
  });

  it('is looked for among the undecided ones, not among all that have ended', async () => {
    const plans = await queryPlans(database(), (queries) => new SqlProposalReader(queries).expired(clock.now(), 100));

    expect(plans.map(({ detail, possible_keys: keys }) => detail ?? keys)).toContainEqual(
      expect.stringContaining('proposals_by_status_and_end'),
    );
  });
});
