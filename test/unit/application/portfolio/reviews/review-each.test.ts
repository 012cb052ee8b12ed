import { reviewEach } from '../../../../../src/application/portfolio/reviews/review-each';

const DOMAINS = Array.from({ length: 300 }, (_, index) => ({ domainId: `dom_${index}`, name: `name-${index}.com` }));

describe('the review of many domains', () => {
  it('lets other requests run between any two domains, because reads of SQLite never wait', async () => {
    let reviewed = 0;
    const reviewing = reviewEach('acc_1', DOMAINS, async ({ domainId }) => {
      reviewed += 1;
      return domainId;
    });
    const perTurn: number[] = [];
    while (reviewed < DOMAINS.length) {
      const before = reviewed;
      await new Promise(setImmediate);
      perTurn.push(reviewed - before);
    }
    const { accepted } = await reviewing;

    expect(accepted).toEqual(DOMAINS.map(({ domainId }) => domainId));
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(2);
  });
});
