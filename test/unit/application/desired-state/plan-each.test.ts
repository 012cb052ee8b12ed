import { ApplyState } from '../../../../src/application/desired-state/apply-state';
import { DomainNotFound } from '../../../../src/domain/shared/domain-errors';
import { dnsUseCases } from '../../../support/use-cases/dns-use-cases';
import { stateUseCases } from '../../../support/use-cases/state-use-cases';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const NONE = { records: { owner: undefined, records: [] } };
const MANY = {
  records: {
    owner: undefined,
    records: Array.from({ length: 10_000 }, (_, index) => ({
      type: 'A',
      name: `h${index}`,
      content: `192.0.2.${(index % 250) + 1}`,
    })),
  },
};

describe('the plans of many names', () => {
  it('end after the name with which 10,000 records change', async () => {
    const around = new UseCaseContext();
    const names = ['a.com', 'b.com', 'c.com'];
    for (const name of names) await around.givenDomain({ id: `dom_${name}`, name });
    const states = [
      { name: 'a.com', state: NONE },
      { name: 'b.com', state: MANY },
      { name: 'c.com', state: NONE },
    ];

    const planned = await stateUseCases(around).applyState.planEach(OURS, states);

    expect(planned.map(({ name }) => name)).toEqual(['a.com', 'b.com']);
    expect(planned[1]?.outcome).toMatchObject({ change: { added: { length: 10_000 } } });
  });

  it('say which states were applied last and are still as they were', async () => {
    const around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', name: 'a.com' });
    const { applyState } = stateUseCases(around);
    const states = [
      { name: 'a.com', state: NONE },
      { name: 'a.com', state: { settings: { tags: [], dnssec: { enabled: false, denial: undefined } } } },
    ];
    const applied = async () => (await applyState.planEach(OURS, states)).map(({ isApplied }) => isApplied);

    expect(await applied()).toEqual([false, false]);
    for (const [index, state] of states.entries()) {
      await applyState.execute({ ...OURS, ...state });
      expect(await applied()).toEqual([index === 0, index === 1]);
    }
    await dnsUseCases(around).addRecord.execute({
      ...OURS,
      domainId: 'dom_1',
      draft: { type: 'A', name: 'www', content: '192.0.2.1' },
    });
    expect(await applied()).toEqual([false, true]);
  });

  it('end after two seconds, with at least one', async () => {
    let now = 0;
    const clock = { now: () => new Date((now += 1_500)) };
    const unknown = { zoneByName: () => Promise.reject(new DomainNotFound()) };
    const { applyToName, registerByState } = stateUseCases(new UseCaseContext());
    const applyState = new ApplyState(unknown, applyToName, registerByState, { isApplied: async () => false }, clock);
    const states = ['a.com', 'b.com', 'c.com'].map((name) => ({ name, state: NONE }));

    const planned = await applyState.planEach(OURS, states);

    expect(planned).toMatchObject([
      { name: 'a.com', outcome: { code: 'DOMAIN_NOT_FOUND' } },
      { name: 'b.com', outcome: { code: 'DOMAIN_NOT_FOUND' } },
    ]);
  });
});
