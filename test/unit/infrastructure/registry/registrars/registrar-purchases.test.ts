import { EventEmitter, once } from 'node:events';
import {
  DomainName,
  Purchases,
  RegistryNotContacted,
  RegistryRejected,
  RegistryUnavailable,
} from '../../../../../src/adapter';
import type { Purchase, PurchaseContext, VendorOrder } from '../../../../../src/adapter';
import { createStoredValues } from '../../../../../src/testing/create-registry-context';
import { MovableClock } from '../../../../support/fakes/movable-clock';

const NAME = DomainName.parse('example.com');
const EXPIRY = new Date('2027-01-01T00:00:00Z');
const RENEWED = new Date('2028-01-01T00:00:00Z');
const checkOneSecondLater = async () => new Date(EXPIRY.getTime() + 1_000);
const usd = (minor: number) => ({ minor, currency: 'USD' });

/** A vendor whose renewals a test scripts. */
class Vendor {
  expiry = EXPIRY;
  balance = usd(10_000);
  readonly orders: VendorOrder[] = [];
  sent = 0;
  outcome: 'renewed' | 'lost' | 'rejected' | 'not sent' = 'renewed';

  renewal(parts: Partial<Purchase<string>> = {}): Purchase<string> {
    return {
      name: NAME,
      kind: 'renewal',
      check: async () => {
        if (this.expiry !== EXPIRY) throw new RegistryRejected('expiry_differs', 'expiry differs');
        return this.expiry;
      },
      orders: async () => [...this.orders],
      send: async () => {
        this.sent += 1;
        if (this.outcome === 'rejected') throw new RegistryRejected('credit', 'no credit');
        if (this.outcome === 'not sent') throw new RegistryNotContacted('not sent');
        if (this.outcome === 'lost') throw new RegistryUnavailable('no response');
        return 'renewed';
      },
      ...parts,
    };
  }
}

const UNKNOWN = { code: 'REGISTRY_UNAVAILABLE' };
let clock: MovableClock;
let vendor: Vendor;
let purchases: Purchases;

beforeEach(() => {
  clock = new MovableClock();
  vendor = new Vendor();
  purchases = purchasesWith();
});

/** In a new process, which has what is stored. */
function purchasesWith({ stored, readLagSeconds = 0 }: Partial<PurchaseContext> = {}): Purchases {
  return new Purchases('Acme', { clock, stored, readLagSeconds });
}

async function loseResponse(parts: Partial<Purchase<string>> = {}): Promise<void> {
  vendor.outcome = 'lost';
  await expect(purchases.send(vendor.renewal(parts))).rejects.toMatchObject(UNKNOWN);
  vendor.outcome = 'renewed';
}

describe('purchases at a registrar without idempotency keys', () => {
  it('sends a purchase once and returns its result', async () => {
    expect(await purchases.send(vendor.renewal())).toBe('renewed');
    expect(vendor.sent).toBe(1);
  });

  it('rejects a repetition whose first attempt took effect, and sends nothing', async () => {
    await loseResponse();
    vendor.expiry = RENEWED;

    await expect(purchases.send(vendor.renewal())).rejects.toMatchObject({ reason: 'expiry_differs' });
    expect(vendor.sent).toBe(1);
  });

  it('sends nothing while the vendor has an open order, also after a restart', async () => {
    vendor.orders.push({ id: '1', status: 'open' });

    await expect(purchasesWith().send(vendor.renewal())).rejects.toMatchObject(UNKNOWN);
    expect(vendor.sent).toBe(0);
  });

  it('sends nothing if the lost attempt has a completed order that the name does not show yet', async () => {
    vendor.orders.push({ id: 'of an earlier renewal', status: 'completed' });
    await loseResponse();
    vendor.orders.push({ id: 'of the lost attempt', status: 'completed' });

    await expect(purchases.send(vendor.renewal())).rejects.toMatchObject(UNKNOWN);
    expect(vendor.sent).toBe(1);
  });

  it.each(['not sent', 'rejected'] as const)(
    'remembers a lost attempt after a repetition that was %s',
    async (outcome) => {
      await loseResponse();
      vendor.outcome = outcome;
      await expect(purchases.send(vendor.renewal())).rejects.toBeInstanceOf(Error);
      vendor.outcome = 'renewed';
      vendor.orders.push({ id: 'of the lost attempt', status: 'completed' });

      await expect(purchases.send(vendor.renewal())).rejects.toMatchObject(UNKNOWN);
      expect(vendor.sent).toBe(2);
    },
  );

  it('sends nothing within the read lag if the vendor shows the former expiry at another time of the day', async () => {
    const lagging = purchasesWith({ readLagSeconds: 60 });
    vendor.outcome = 'lost';
    await expect(lagging.send(vendor.renewal())).rejects.toMatchObject(UNKNOWN);
    vendor.outcome = 'renewed';

    await expect(lagging.send(vendor.renewal({ check: checkOneSecondLater }))).rejects.toMatchObject(UNKNOWN);

    expect(vendor.sent).toBe(1);
  });

  it('sends again if the lost attempt left no order, or a failed one', async () => {
    await loseResponse();
    vendor.orders.push({ id: '1', status: 'failed' });

    expect(await purchases.send(vendor.renewal())).toBe('renewed');
    expect(vendor.sent).toBe(2);
  });

  it('sends again after a lost attempt if the balance is the same', async () => {
    const balance = async () => vendor.balance;
    await loseResponse({ balance });

    expect(await purchases.send(vendor.renewal({ balance }))).toBe('renewed');
  });

  it('waits ten minutes after a lost attempt if the balance is lower and the name does not show why', async () => {
    const balance = async () => vendor.balance;
    await loseResponse({ balance });
    vendor.balance = usd(8_900);

    await expect(purchases.send(vendor.renewal({ balance }))).rejects.toMatchObject(UNKNOWN);
    expect(vendor.sent).toBe(1);
    clock.advance({ ms: 11 * 60_000 });
    expect(await purchases.send(vendor.renewal({ balance }))).toBe('renewed');
  });

  it.each(['rejected', 'not sent'] as const)('forgets an attempt that was %s', async (outcome) => {
    vendor.outcome = outcome;
    await expect(purchases.send(vendor.renewal())).rejects.toMatchObject({
      message: expect.stringMatching(/registry/),
    });
    vendor.outcome = 'renewed';
    vendor.orders.push({ id: 'from the web site', status: 'completed' });

    expect(await purchases.send(vendor.renewal())).toBe('renewed');
  });

  it('keeps one purchase for a name in flight, and names apart', async () => {
    const vendorResponds = new EventEmitter();
    const first = purchases.send(vendor.renewal({ send: async () => String(await once(vendorResponds, 'response')) }));

    await expect(purchases.send(vendor.renewal())).rejects.toBeInstanceOf(RegistryNotContacted);
    expect(await purchases.send(vendor.renewal({ name: DomainName.parse('example.net') }))).toBe('renewed');
    vendorResponds.emit('response', 'renewed');

    expect(await first).toBe('renewed');
    expect(await purchases.send(vendor.renewal())).toBe('renewed');
  });

  describe('in a new process', () => {
    it.each([
      ['its orders', async () => vendor.orders.push({ id: 'of the lost attempt', status: 'completed' as const }), 0],
      ['no more than that its reads may lag', async () => 0, 60],
    ])('sends nothing again after a lost response if the vendor shows %s', async (_what, show, readLagSeconds) => {
      const stored = createStoredValues();
      purchases = purchasesWith({ stored, readLagSeconds });
      await loseResponse();
      await show();

      await expect(purchasesWith({ stored, readLagSeconds }).send(vendor.renewal())).rejects.toMatchObject(UNKNOWN);

      expect(vendor.sent).toBe(1);
    });

    it('sends a lost attempt again once the reads must have caught up', async () => {
      const stored = createStoredValues();
      purchases = purchasesWith({ stored, readLagSeconds: 60 });
      await loseResponse();

      clock.advance({ ms: 60_000 });

      expect(await purchasesWith({ stored, readLagSeconds: 60 }).send(vendor.renewal())).toBe('renewed');
      expect(vendor.sent).toBe(2);
      expect(await stored.list('', 10)).toEqual([]);
    });

    it('forgets a lost attempt after a day, so that a name can be bought again', async () => {
      const stored = createStoredValues();
      purchases = purchasesWith({ stored });
      await loseResponse();
      vendor.orders.push({ id: 'of the lost attempt', status: 'completed' });

      clock.advance({ ms: 24 * 3_600_000 });

      expect(await purchasesWith({ stored }).send(vendor.renewal())).toBe('renewed');
    });

    it('keeps an attempt with many long orders within the limits of a stored value', async () => {
      const stored = createStoredValues();
      for (let index = 0; index < 100; index += 1)
        vendor.orders.push({ id: `order-${'0'.repeat(60)}-${index}`, status: 'completed' });
      purchases = purchasesWith({ stored });
      await loseResponse();

      const [value = ''] = await stored.list('', 10);

      expect(value.length).toBeLessThanOrEqual(500);
    });
  });

  it('sends nothing if the attempt cannot be stored', async () => {
    const stored = { ...createStoredValues(), put: async () => Promise.reject(new Error('the database is down')) };

    await expect(purchasesWith({ stored }).send(vendor.renewal())).rejects.toBeInstanceOf(RegistryNotContacted);

    expect(vendor.sent).toBe(0);
  });
});
