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
});
