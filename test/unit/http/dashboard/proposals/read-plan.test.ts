import { readPlan } from '../../../../../src/http/dashboard/proposals/read-plan';

describe('the plan of a proposal in the dashboard', () => {
  it('shows no change of what the request of an operation does not name', () => {
    const renewal = {
      kind: 'renew',
      domain: 'example.com',
      before: { current_expiry: '2027-01-01T00:00:00.000Z' },
      request: { years: 1, current_expiry: null },
    };

    const { operations } = readPlan({ changes: [], operations: [renewal], warnings: [] }, 10_000);

    expect(operations).toEqual([{ title: 'Renew example.com', before: {}, after: { years: 1, ...renewal.before } }]);
  });

  it('says what a bulk job does to which names', () => {
    const step = { action: 'nameservers', nameservers: ['ns1.example.net'], domains: ['one.com', 'two.com'] };

    const { steps } = readPlan({ changes: [], operations: [], steps: [step], warnings: [] }, 10_000);

    expect(steps).toEqual([
      {
        title: 'Change the nameservers of 2 names',
        before: {},
        after: { nameservers: ['ns1.example.net'] },
        domains: ['one.com', 'two.com'],
      },
    ]);
  });

  it('says what a bulk job does although the page has no room for all names', () => {
    const domains = Array.from({ length: 10_000 }, (_, index) => `name-${index}.com`);

    const { steps, more } = readPlan({ steps: [{ action: 'renewal', years: 1, domains }], warnings: [] }, 24_000);

    expect(steps).toMatchObject([{ title: 'Renew 10000 names', after: { years: 1 } }]);
    expect(steps[0]?.domains.length).toBeGreaterThan(50);
    expect((steps[0]?.domains.length ?? 0) + more).toBe(10_000);
  });

  it('counts the records that a shortened plan does not list', () => {
    const record = { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 };
    const zone = { version: 1, added: [record], added_count: 9_000, changed: [], removed: [] };
    const whole = { effect: 'x', changes: 'y' };

    const alone = readPlan({ result: zone, warnings: [], whole }, 10_000);
    const ofJob = readPlan({ changes: [], zones: [{ domain: 'example.com', ...zone }], whole }, 10_000);

    const counts = { added: 9_000, changed: 0, removed: 0, lines: [{ before: null, after: 'www 300 A 192.0.2.1' }] };
    expect(alone).toMatchObject({ records: counts, result: {}, more: 8_999, isWhole: false });
    expect(ofJob).toMatchObject({ zones: [{ name: 'example.com', ...counts }], more: 8_999, isWhole: false });
  });
});
