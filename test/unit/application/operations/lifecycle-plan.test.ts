import { aDomain } from '../../../support/data/a-domain';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

/** With the plan of `UseCaseContext`: a month before the domain expires on New Year 2027. */
const RENEWAL_DUE = new Date('2026-12-02T00:00:00.000Z');
const AN_HOUR_BEFORE = new Date('2026-12-01T23:00:00.000Z');
const AN_HOUR_AFTER = new Date('2026-12-02T01:00:00.000Z');

describe('the next check of a domain', () => {
  it.each([
    ['when something is due', undefined, RENEWAL_DUE],
    ['when something is due, where it need not wait until then', AN_HOUR_BEFORE, RENEWAL_DUE],
    ['not before it may be, though something is due', AN_HOUR_AFTER, AN_HOUR_AFTER],
  ])('is %s', (_when, notBefore, expected) => {
    const domain = aDomain({ dueAt: null });

    new UseCaseContext().plan.schedule(domain, notBefore);

    expect(domain.toState().dueAt).toEqual(expected);
  });

  it('is never under a TLD that is not served, however early it may be', () => {
    const domain = aDomain({ name: 'example.unserved' });

    new UseCaseContext().plan.schedule(domain, AN_HOUR_AFTER);

    expect(domain.toState().dueAt).toBeNull();
  });

  it('leaves the check of what has left as it is', () => {
    const domain = aDomain({ status: 'transferred_out', dueAt: AN_HOUR_BEFORE });

    new UseCaseContext().plan.schedule(domain, AN_HOUR_AFTER);

    expect(domain.toState().dueAt).toEqual(AN_HOUR_BEFORE);
  });
});
