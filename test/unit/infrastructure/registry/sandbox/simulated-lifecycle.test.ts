import {
  nextTransitionAt,
  applyTransitions,
} from '../../../../../src/infrastructure/registry/sandbox/simulated/registration-lifecycle';
import { PRICE_LIST } from '../../../../../src/infrastructure/registry/sandbox/simulated/offers/price-list';
import type {
  Charge,
  Outcome,
  Registration,
} from '../../../../../src/infrastructure/registry/sandbox/simulated/registration';
import {
  create,
  delegate,
  lockTransfers,
  remove,
  renew,
  restore,
  restorePrice,
  type Command,
} from '../../../../../src/infrastructure/registry/sandbox/simulated/transitions';
import {
  approveTransfer,
  requestTransfer,
} from '../../../../../src/infrastructure/registry/sandbox/simulated/transfers';
import { addDays, addYears } from '../../../../../src/domain/shared/time/calendar';
import type { RegistryRejected } from '../../../../../src/application/ports/registry/registry-errors';
import { thrownBy } from '../../../../support/thrown-by';

const START = new Date('2026-01-01T00:00:00.000Z');
const day = (count: number) => addDays(START, count);
const com = PRICE_LIST.find(({ suffix }) => suffix === 'com')!;
const PRICES = {
  registration: (years: number) => years * 10_00,
  renewal: (years: number) => years * 12_00,
  restore: 80_00,
};
const TERMS = { ...com, renewal: PRICES.renewal };
const CODE = { digest: 'a'.repeat(64), expiresAt: addYears(START, 9) };

const by = (now: Date, transactionId = 'command-1', registrar = 'us'): Command => ({ registrar, transactionId, now });
const glue = (host: string) => [{ host, addresses: ['192.0.2.1'] }];
const factsOf = (held: Registration, command: Command) => ({ held, offered: com, prices: PRICES, command });
const what = ({ charges }: Pick<Outcome, 'charges'>) =>
  charges.map(({ kind, amount, transactionId }: Charge) => [kind, amount, transactionId]);

function left({ registration }: Outcome): Registration {
  if (!registration) throw new TypeError('nothing is left');
  return registration;
}

function created(part: Partial<Registration> = {}): Registration {
  return {
    ...left(
      create(
        { name: 'a.com', years: 1, registrant: null, nameservers: ['ns1.example.net', 'ns2.example.net'] },
        com,
        PRICES,
        by(START),
      ),
    ),
    ...part,
  };
}

function transitionsBy(registration: Registration, now: Date): Outcome {
  return applyTransitions(registration, TERMS, now);
}

const deletedAt = (now: Date, held = created()) => left(remove(held, com, by(now)));
const pending = (now: Date, held: Registration) =>
  left(
    requestTransfer(
      factsOf({ ...held, transferLocked: false, authCode: CODE }, by(now, 'request-1', 'them')),
      CODE.digest,
    ),
  );

describe('charges of the simulated registry', () => {
  it('refunds registration and renewals of a name that is deleted in the add grace period', () => {
    const renewed = left(renew(created(), { years: 2, currentExpiry: addYears(START, 1) }, com, PRICES, by(day(1))));

    const outcome = remove(renewed, com, by(day(4), 'delete-1'));

    expect(outcome.registration).toBeUndefined();
    expect(what(outcome)).toEqual([['refund', -(10_00 + 2 * 12_00), 'delete-1']]);
  });

  it('refunds nothing for a name that is deleted after the add grace period', () => {
    const outcome = remove(created(), com, by(day(5)));

    expect(left(outcome)).toMatchObject({ phase: 'redemption', phaseEndsAt: day(35), expiresAt: addYears(START, 1) });
    expect(outcome.charges).toEqual([]);
  });

  it('refunds no renewal after the add grace period', () => {
    const renewed = left(renew(created(), { years: 1, currentExpiry: addYears(START, 1) }, com, PRICES, by(day(100))));

    expect(remove(renewed, com, by(day(101))).charges).toEqual([]);
  });
});

describe('delegations at the simulated registry', () => {
  it('accept addresses only of hosts under the domain', () => {
    const hosts = ['ns1.example.net', 'ns2.example.net'];

    expect(left(delegate(created(), hosts, glue('ns1.a.com'), com)).glue).toEqual(glue('ns1.a.com'));
    expect(thrownBy(() => delegate(created(), hosts, glue('ns1.ba.com'), com))).toMatchObject({
      reason: 'policy',
      details: expect.stringContaining('ns1.ba.com is not under a.com'),
    });
    expect(thrownBy(() => delegate(created(), hosts, glue('a.com'), com))).toMatchObject({ reason: 'policy' });
  });
});

describe('automatic renewal at the simulated registry', () => {
  it('is charged without a transaction id, and refunded by a deletion in auto-renew grace', () => {
    const expired = transitionsBy(created(), addYears(START, 1));

    const outcome = remove(left(expired), com, by(day(370), 'delete-1'));

    expect(what(expired)).toEqual([['auto_renew', 12_00, null]]);
    expect(what(outcome)).toEqual([['refund', -12_00, 'delete-1']]);
    expect(left(outcome)).toMatchObject({ phase: 'redemption', expiresAt: addYears(START, 1), phaseEndsAt: day(400) });
  });

  it('writes dates in its messages as the dashboard does', () => {
    const expired = transitionsBy(created(), addYears(START, 1));

    expect(expired.notices).toMatchObject([
      { text: 'a.com has expired and was renewed automatically until 1 Jan 2028' },
    ]);
  });

  it('stays after the auto-renew grace period', () => {
    const after = left(transitionsBy(created(), addDays(addYears(START, 1), 45)));

    const outcome = remove(after, com, by(addDays(addYears(START, 1), 46)));

    expect(after).toMatchObject({ phase: 'registered', expiresAt: addYears(START, 2) });
    expect(outcome.charges).toEqual([]);
  });

  it('is applied once, however often transitions are applied', () => {
    const seldom = transitionsBy(created(), addYears(START, 3));
    let often: Registration | undefined = created();
    const charges: Charge[] = [];
    while (often && nextTransitionAt(often) <= addYears(START, 3)) {
      const outcome: Outcome = transitionsBy(often, nextTransitionAt(often));
      charges.push(...outcome.charges);
      often = outcome.registration;
    }

    expect(often).toEqual(seldom.registration);
    expect(charges).toEqual(seldom.charges);
  });
});

describe('a TLD whose shortest term is two years', () => {
  const ai = PRICE_LIST.find(({ suffix }) => suffix === 'ai')!;

  it('renews automatically, and with a restore, for two years', () => {
    const registered = left(
      create(
        { name: 'a.ai', years: 2, registrant: null, nameservers: ['ns1.example.net', 'ns2.example.net'] },
        ai,
        PRICES,
        by(START),
      ),
    );
    const expired = applyTransitions(registered, { ...ai, renewal: PRICES.renewal }, addYears(START, 2));
    const deleted = left(remove(left(expired), ai, by(addYears(START, 2))));
    const restored = restore(deleted, ai, PRICES, by(addDays(addYears(START, 2), 1), 'restore-1'));

    expect(left(expired)).toMatchObject({
      phase: 'auto_renew_grace',
      expiresAt: addYears(START, 4),
      refundable: 24_00,
    });
    expect(what(expired)).toEqual([['auto_renew', 24_00, null]]);
    expect(what(restored)).toEqual([
      ['restore', 80_00, 'restore-1'],
      ['renew', 24_00, 'restore-1'],
    ]);
    expect(left(restored).expiresAt).toEqual(addYears(START, 4));
  });
});

describe('restores at the simulated registry', () => {
  it('cost only the restore fee before the expiry', () => {
    const held = deletedAt(day(100));

    const outcome = restore(held, com, PRICES, by(day(110), 'restore-1'));

    expect(restorePrice(held, com, PRICES, day(110))).toBe(80_00);
    expect(what(outcome)).toEqual([['restore', 80_00, 'restore-1']]);
    expect(left(outcome)).toMatchObject({ phase: 'registered', expiresAt: addYears(START, 1) });
  });

  it.each([
    ['was deleted before it', () => deletedAt(day(350))],
    ['was deleted after it', () => deletedAt(day(370), left(transitionsBy(created(), day(370))))],
  ])('include a renewal if the expiry has passed of a name that %s', (_, make) => {
    const held = make();

    const outcome = restore(held, com, PRICES, by(day(375), 'restore-1'));

    expect(restorePrice(held, com, PRICES, day(375))).toBe(80_00 + 12_00);
    expect(what(outcome)).toEqual([
      ['restore', 80_00, 'restore-1'],
      ['renew', 12_00, 'restore-1'],
    ]);
    expect(left(outcome).expiresAt).toEqual(addYears(START, 2));
  });

  it('are rejected if they have no price, also after the expiry, when a renewal has one', () => {
    const unpriced = { ...PRICES, restore: undefined };

    for (const now of [day(110), day(375)]) {
      const refusal = thrownBy(() => restore(deletedAt(day(100)), com, unpriced, by(now))) as RegistryRejected;
      expect(refusal.reason).toBe('policy');
    }
  });

  it('are rejected after the redemption period', () => {
    const dying = left(transitionsBy(deletedAt(day(100)), day(130)));

    const refusal = thrownBy(() => restore(dying, com, PRICES, by(day(131)))) as RegistryRejected;

    expect(dying).toMatchObject({ phase: 'pending_delete', phaseEndsAt: day(135) });
    expect(refusal.reason).toBe('status');
    expect(transitionsBy(dying, day(135)).registration).toBeUndefined();
  });
});

describe('transfers at the simulated registry', () => {
  it('are charged to the request at the end of the transfer period', () => {
    const outcome = transitionsBy(pending(day(10), created()), day(15));

    expect(left(outcome)).toMatchObject({ sponsor: 'them', expiresAt: addYears(START, 2), authCode: null });
    expect(what(outcome)).toEqual([['transfer', 12_00, 'request-1']]);
  });

  it('tell the sponsor until when it can decide', () => {
    const { notices } = requestTransfer(
      factsOf({ ...created(), transferLocked: false, authCode: CODE }, by(day(10), 'request-1', 'them')),
      CODE.digest,
    );

    expect(notices).toMatchObject([
      { text: 'them has requested the transfer of a.com, which takes effect on 16 Jan 2026, 00:00 UTC' },
    ]);
  });

  it('are charged to the request if the sponsor approves', () => {
    const outcome = approveTransfer(factsOf(pending(day(10), created()), by(day(11), 'approve-1')));

    expect(what(outcome)).toEqual([['transfer', 12_00, 'request-1']]);
  });

  it('replace the year of an automatic renewal, which is refunded to the former sponsor', () => {
    const expired = left(transitionsBy(created(), day(370)));

    const outcome = transitionsBy(pending(day(370), expired), day(375));

    expect(outcome.charges.map(({ registrar, kind, amount }) => [registrar, kind, amount])).toEqual([
      ['us', 'refund', -12_00],
      ['them', 'transfer', 12_00],
    ]);
    expect(left(outcome).expiresAt).toEqual(addYears(START, 2));
  });

  it('add the shortest term that the TLD sells, and keep their state and fee', () => {
    const ai = PRICE_LIST.find(({ suffix }) => suffix === 'ai')!;
    const held = created({ name: 'a.ai', expiresAt: addYears(START, 2), transferLocked: false, authCode: CODE });
    const command = by(day(10), 'request-1', 'them');

    const requested = left(requestTransfer({ ...factsOf(held, command), offered: ai }, CODE.digest));
    const completed = applyTransitions(requested, { ...ai, renewal: PRICES.renewal }, day(15));

    expect(what(completed)).toEqual([['transfer', 24_00, 'request-1']]);
    expect(left(completed).expiresAt).toEqual(addYears(START, 4));
    expect(left(completed).details?.transfer).toEqual({
      gaining: 'them',
      losing: 'us',
      requestedAt: day(10).getTime(),
      state: 'serverApproved',
      actionAt: day(15).getTime(),
      transactionId: 'request-1',
      fee: 24_00,
      registrant: null,
    });
  });

  it('are rejected if the sponsor requests its own name', () => {
    const held = created({ transferLocked: false, authCode: CODE });

    expect(thrownBy(() => requestTransfer(factsOf(held, by(day(10), 'request-1', 'us')), CODE.digest))).toMatchObject({
      reason: 'policy',
      details: 'a.com is sponsored by us already',
    });
  });

  it('reject a transfer lock while they are pending, but accept its removal', () => {
    const held = pending(day(10), created());

    expect(thrownBy(() => lockTransfers(held, true))).toMatchObject({
      reason: 'status',
      details: 'A transfer of a.com is pending',
    });
    expect(left(lockTransfers(held, false))).toMatchObject({ transferLocked: false });
  });

  it('require a valid auth code', () => {
    const held = created({ transferLocked: false, authCode: { ...CODE, expiresAt: day(14) } });
    const later = left(transitionsBy(held, day(14)));

    const refusal = thrownBy(() =>
      requestTransfer(factsOf(later, by(day(14), 'request-1', 'them')), CODE.digest),
    ) as RegistryRejected;

    expect(refusal).toMatchObject({ reason: 'auth_code', details: expect.not.stringContaining(CODE.digest) });
  });
});
