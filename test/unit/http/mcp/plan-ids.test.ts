import { createSecretKey, randomBytes } from 'node:crypto';
import { PlanIds } from '../../../../src/http/mcp/plan-ids';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';

const CALLER = {
  accountId: 'acc_1',
  actor: { kind: 'key', id: 'key-1' },
  scope: 'WRITE',
} as const;
const ASKED = { name: 'example.com', change: { tags: ['shop', 'mail'] } };
const PLAN = {
  plan: { changes: [{ after: { tags: ['shop'] } }] },
  confirm: true,
  quoteId: 'quote_1',
  target: { method: 'PUT', path: '/api/domains/dom_1/tags' },
};

describe('the id of a plan', () => {
  let now = new Date('2026-12-01T12:00:00Z');
  const ids = new PlanIds(new AesSecretBox(createSecretKey(randomBytes(32))), { now: () => now });

  it('says what is known about the plan, to the key that made it, whatever the order of the members', async () => {
    const { id } = await ids.issue(CALLER, ASKED, PLAN);
    const { change, name } = ASKED;

    const known = await ids.open(CALLER, { change, name }, id);

    expect(known).toMatchObject({ confirm: true, quoteId: 'quote_1', target: PLAN.target });
    expect((await ids.open(CALLER, ASKED, id)).nonce).toBe(known.nonce);
    expect((await ids.open(CALLER, ASKED, (await ids.issue(CALLER, ASKED, PLAN)).id)).nonce).not.toBe(known.nonce);
  });

  it('has the same effect for plans that differ in times only', async () => {
    const planAt = (expiresAt: string) => ({ ...PLAN, plan: { changes: [{ after: { expiresAt } }] } });
    const effectOf = async (plan: typeof PLAN | ReturnType<typeof planAt>) =>
      (await ids.open(CALLER, ASKED, (await ids.issue(CALLER, ASKED, plan)).id)).effect;

    expect(await effectOf(planAt('2027-01-01'))).toBe(await effectOf(planAt('2027-01-02')));
    expect(await effectOf(planAt('2027-01-01'))).not.toBe(await effectOf(PLAN));
  });

  it('is of no use for another key, account or change, or if it is altered', async () => {
    const { id } = await ids.issue(CALLER, ASKED, PLAN);
    const altered = `${id.slice(0, -2)}${id.endsWith('AA') ? 'BA' : 'AA'}`;

    for (const [caller, asked, text] of [
      [{ ...CALLER, actor: { kind: 'key', id: 'key-2' } }, ASKED, id],
      [{ ...CALLER, actor: { kind: 'user', id: 'key-1' } }, ASKED, id],
      [{ ...CALLER, accountId: 'acc_2' }, ASKED, id],
      [CALLER, { ...ASKED, name: 'example.net' }, id],
      [CALLER, ASKED, altered],
      [CALLER, ASKED, 'plan'],
    ] as const)
      await expect(ids.open(caller, asked, text)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('expires after 15 minutes', async () => {
    const { id, expiresAt } = await ids.issue(CALLER, ASKED, PLAN);
    expect(expiresAt).toEqual(new Date('2026-12-01T12:15:00Z'));

    now = expiresAt;

    await expect(ids.open(CALLER, ASKED, id)).rejects.toMatchObject({ details: expect.stringContaining('expired') });
  });
});
