import { apiRoutes } from '../../../../../src/http/api/routes';
import { isWrite } from '../../../../../src/http/api/route';
import { describeWrite } from '../../../../../src/http/dashboard/proposals/describe-write';
import { needsReauthentication } from '../../../../../src/http/dashboard/proposals/needs-reauthentication';

const NEVER_PROPOSED = /^\/(keys|trust-rules|webhooks|sandbox|proposals|imports)(\/|$)/;
const WRITES = apiRoutes((controller) => Object.create(controller.prototype as object) as never, { sandbox: false })
  .filter((route) => isWrite(route) && !NEVER_PROPOSED.test(route[1]))
  .map(([method, path]) => ({ method: method.toUpperCase(), path: `/api${path.replaceAll(/:\w+/g, 'x')}` }));
const FREE = { body: {}, cost: undefined, from: 100 };

describe('every write that can be proposed', () => {
  it('has words in the dashboard', () => {
    const unnamed = WRITES.filter((write) => describeWrite(write, 'example.com').startsWith(write.method));

    expect([WRITES.length > 40, unnamed]).toEqual([true, []]);
  });

  it('is called by the names that it orders if it is a bulk job', () => {
    const write = { method: 'POST', path: '/api/bulk' };
    const words = (...kinds: string[]) =>
      describeWrite(write, undefined, { operations: kinds.map((kind) => ({ kind })), warnings: [] });

    expect(words('register', 'register')).toBe('Register 2 names');
    expect(words('transfer')).toBe('Transfer a name here');
    const step = { action: 'transfer_lock', transfer_locked: false, domains: ['one.com', 'two.com'] };
    expect(describeWrite(write, undefined, { steps: [step] })).toBe('Change the transfer lock of 2 names');
    expect([words(), words('renew'), describeWrite(write, undefined)]).toEqual(Array(3).fill('Start a bulk job'));
  });

  it('needs the password to be accepted if it lets a name go or may do so, and no other does', () => {
    const guarded = WRITES.filter((write) => needsReauthentication(write, FREE));

    expect(guarded.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /api/domains/x',
      'POST /api/bulk',
      'POST /api/bulk/x/retry',
      'POST /api/bulk/x/undo',
      'PUT /api/domains/x/transfer-lock',
      'POST /api/domains/x/auth-code',
      'POST /api/domains/x/transfer-out/approve',
      'POST /api/domains/x/release',
      'DELETE /api/zones/x',
      'PUT /api/domains/by-name/x/state',
      'PUT /api/zones/by-name/x/state',
      'POST /api/moves',
      'POST /api/moves/x/accept',
      'PUT /api/approval-rules',
    ]);
  });

  it('needs the password from the amount on that the operator has set', () => {
    const order = { method: 'POST', path: '/api/domains' };

    expect(needsReauthentication(order, { ...FREE, cost: 99.99 })).toBe(false);
    expect(needsReauthentication(order, { ...FREE, cost: 100 })).toBe(true);
    expect(needsReauthentication(order, { ...FREE, cost: 100, from: 0 })).toBe(false);
  });

  it.each([
    [true, false],
    [false, true],
    ['true', true],
    [undefined, true],
  ])('needs the password unless it locks: transfer_locked %p', (transfer_locked, expected) => {
    const write = { method: 'PUT', path: '/api/domains/x/transfer-lock' };

    expect(needsReauthentication(write, { ...FREE, body: { transfer_locked } })).toBe(expected);
  });
});
