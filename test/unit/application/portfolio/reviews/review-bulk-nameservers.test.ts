import { ReviewBulkNameservers } from '../../../../../src/application/portfolio/reviews/review-bulk-nameservers';
import type { ChangeNameservers } from '../../../../../src/application/registration/settings/change-nameservers';
import { FindDomain } from '../../../../../src/application/registration/find-domain';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const OUR_HOSTS = ['ns1.ours.example', 'ns2.ours.example'];
const THEIRS = ['ns1.theirs.example', 'ns2.theirs.example'];
const NEW_HOSTS = ['ns1.new.example', 'ns2.new.example'];

const ids = (group: readonly { readonly domainId: string }[]) => group.map(({ domainId }) => domainId);

describe('the review of a change of nameservers', () => {
  const around = new UseCaseContext();
  const signed = new Set(['dom_signed']);
  const changeNameservers: Pick<ChangeNameservers, 'review'> = {
    review: async ({ id }, hosts) => ({
      hosts,
      warnings: signed.has(id) && !hosts.includes('ns1.ours.example') ? ['DNSSEC is on'] : [],
    }),
  };
  const review = new ReviewBulkNameservers(
    new FindDomain(around.storage.domains),
    changeNameservers as ChangeNameservers,
    { defaultNameservers: OUR_HOSTS },
  );
  const domains = ['dom_1', 'dom_2', 'dom_3', 'dom_signed', 'dom_deleted'].map((domainId) => ({
    domainId,
    name: domainId,
  }));

  beforeAll(async () => {
    for (const id of ['dom_1', 'dom_2', 'dom_signed'])
      await around.givenDomain({ id, name: `${id.replace('_', '-')}.com`, nameservers: OUR_HOSTS });
    await around.givenDomain({ id: 'dom_3', name: 'dom-3.com', nameservers: THEIRS });
    await around.givenDomain({ id: 'dom_deleted', name: 'dom-4.com', nameservers: THEIRS, status: 'redemption' });
  });

  it('groups domains by their nameservers, and leaves out signed ones and those that cannot be changed', async () => {
    const { groups, signed: left, refused, leaving, joining } = await review.execute(OURS, domains, NEW_HOSTS);

    expect(groups.map(({ from, domains: group }) => [from, ids(group)])).toEqual([
      [OUR_HOSTS, ['dom_1', 'dom_2']],
      [THEIRS, ['dom_3']],
    ]);
    expect([ids(left), ids(refused), leaving, joining]).toEqual([['dom_signed'], ['dom_deleted'], 2, 0]);
  });

  it('counts those that begin to use our records, and takes no order of nameservers for a change', async () => {
    const { groups, unchanged, leaving, joining } = await review.execute(OURS, domains, OUR_HOSTS.toReversed());

    expect(groups.map(({ domains: group }) => ids(group))).toEqual([['dom_3']]);
    expect([ids(unchanged), leaving, joining]).toEqual([['dom_1', 'dom_2', 'dom_signed'], 0, 1]);
  });
});
