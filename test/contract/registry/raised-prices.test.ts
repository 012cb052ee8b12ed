import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import type { DomainName } from '../../../src/domain/shared/domain-name';
import { isWithin, type Money } from '../../../src/domain/shared/money';
import { startDnsimple } from '../../../src/infrastructure/registry/dnsimple/start-dnsimple';
import { startEpp } from '../../../src/infrastructure/registry/epp/start-epp';
import { startNamecom } from '../../../src/infrastructure/registry/namecom/start-namecom';
import { startRealtimeRegister } from '../../../src/infrastructure/registry/realtimeregister/start-realtimeregister';
import { PRICE_LIST } from '../../../src/infrastructure/registry/sandbox/simulated/offers/price-list';
import type { TldOffer } from '../../../src/infrastructure/registry/sandbox/simulated/offers/tld-offer';
import { SimulatedRegistry } from '../../../src/infrastructure/registry/sandbox/simulated/simulated-registry';
import { SqlRegistryStore } from '../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { createRegistryContext, vendorControls } from '../../../src/testing';
import { freshId, freshName, orderOf, register, REGISTRANT, years } from '../../../src/testing/registry-fixtures';
import type { TestControls } from '../../../src/testing/test-controls';
import type { RecordedVendor } from '../../../src/testing/vendor/recorded-vendor';
import { startSandboxRegistry } from '../../support/epp/sandbox-registry';
import { MovableClock } from '../../support/fakes/movable-clock';
import { eppControls, sandboxControls } from '../../support/registries/test-controls';
import {
  DNSIMPLE_COMMANDS,
  DNSIMPLE_CREDENTIALS,
  DNSIMPLE_FEES,
  dnsimpleServer,
} from '../../support/registrars/dnsimple-server';
import {
  NAMECOM_COMMANDS,
  NAMECOM_CREDENTIALS,
  NAMECOM_FEES,
  namecomServer,
} from '../../support/registrars/namecom-server';
import { realtimeRegisterControls } from '../../support/registrars/realtimeregister-controls';
import {
  REALTIMEREGISTER_CREDENTIALS,
  REALTIMEREGISTER_FEES,
  realtimeRegisterServer,
} from '../../support/registrars/realtimeregister-server';

interface Subject {
  readonly registry: RegistryPort;
  readonly controls: TestControls;
  /** Multiplies what everything costs from now on. */
  setPrices(factor: number): void;
  /** Each amount that was charged for the name, in minor units. */
  charged(name: DomainName): Promise<readonly number[]>;
  close(): Promise<void>;
}

function scaled({ minor, currency }: Money, factor: number): Money {
  return { minor: Math.round(minor * factor), currency };
}

/** Offers whose prices are read with each command. */
function offersAt(factor: () => number): readonly TldOffer[] {
  return PRICE_LIST.map((each) => ({
    ...each,
    get prices() {
      const { registration, renewal, restore } = each.prices;
      const now = factor();
      return {
        registration: scaled(registration, now),
        renewal: scaled(renewal, now),
        ...(restore && { restore: scaled(restore, now) }),
      };
    },
  }));
}

async function simulated(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-prices-'));
  let factor = 1;
  const registry = new SimulatedRegistry({
    store: new SqlRegistryStore({ kind: 'sqlite', file: join(folder, 'registry.db') }),
    clock: new MovableClock(),
    currency: 'USD',
    priceList: offersAt(() => factor),
  });
  await registry.open();
  return {
    registry,
    controls: sandboxControls(() => registry.sandbox),
    setPrices: (next) => void (factor = next),
    charged: async (name) => (await registry.sandbox.ledger(name)).map(({ amount }) => amount.minor),
    close: async () => {
      await registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function epp(): Promise<Subject> {
  let factor = 1;
  const sandbox = await startSandboxRegistry({ priceList: offersAt(() => factor) });
  const { id, password } = sandbox.registrars.first;
  const settings = {
    host: sandbox.host,
    port: sandbox.port,
    ca: sandbox.certificate.certificate,
    client_id: id,
    password,
  };
  const running = await startEpp(createRegistryContext({ settings }));
  const books = new SimulatedRegistry({
    store: new SqlRegistryStore({ kind: 'sqlite', file: sandbox.file }),
    clock: new MovableClock(),
    currency: 'USD',
  });
  await books.open();
  return {
    registry: running.port,
    controls: eppControls(sandbox),
    setPrices: (next) => void (factor = next),
    charged: async (name) => (await books.sandbox.ledger(name)).map(({ amount }) => amount.minor),
    close: async () => {
      await running.close();
      await books.close();
      await sandbox.stop();
    },
  };
}

/** A stand-in with its table of fees, which is changed in place. */
async function standIn(
  vendor: RecordedVendor,
  fees: Record<string, number>,
  controls: TestControls,
  start: (url: string) => Promise<RegistryPort>,
): Promise<Subject> {
  const regular = { ...fees };
  const setPrices = (factor: number) => {
    for (const [kind, fee] of Object.entries(regular)) fees[kind] = Math.round(fee * factor);
  };
  return {
    registry: await start(await vendor.start()),
    controls,
    setPrices,
    charged: async ({ value }) =>
      vendor.state.ledger
        .filter(({ name, status }) => name === value && status !== 'refunded' && status !== 'failed')
        .map(({ amount }) => amount),
    close: async () => {
      setPrices(1);
      await vendor.stop();
    },
  };
}

const SUBJECTS: readonly (readonly [string, () => Promise<Subject>])[] = [
  ['the simulated registry', simulated],
  ['EPP with fees (RFC 8748)', epp],
  [
    'name.com',
    () => {
      const vendor = namecomServer();
      return standIn(vendor, NAMECOM_FEES, vendorControls(vendor, NAMECOM_COMMANDS), async (url) => {
        return (await startNamecom(createRegistryContext({ settings: { ...NAMECOM_CREDENTIALS, url } }))).port;
      });
    },
  ],
  [
    'DNSimple',
    () => {
      const vendor = dnsimpleServer();
      return standIn(vendor, DNSIMPLE_FEES, vendorControls(vendor, DNSIMPLE_COMMANDS), async (url) => {
        const context = createRegistryContext({ settings: { ...DNSIMPLE_CREDENTIALS, url } });
        return (await startDnsimple({ ...context, clock: { now: () => vendor.state.now() } })).port;
      });
    },
  ],
  [
    'Realtime Register',
    () => {
      const vendor = realtimeRegisterServer();
      return standIn(vendor, REALTIMEREGISTER_FEES, realtimeRegisterControls(vendor), async (url) => {
        const context = createRegistryContext({ settings: { ...REALTIMEREGISTER_CREDENTIALS, url } });
        return (await startRealtimeRegister({ ...context, clock: { now: () => vendor.state.now() } })).port;
      });
    },
  ],
];

const ONE_YEAR = years(1);
const TOO_DEAR = { code: 'REGISTRY_REJECTED', reason: 'price_changed' };

describe.each(SUBJECTS)('a price that rises between quote and order at %s', (_name, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());

  const registrationQuote = async (name: DomainName): Promise<Money> => {
    const [offer] = await subject.registry.check([name], ONE_YEAR);
    if (!offer?.price) throw new Error(`${name.value} has no price`);
    return offer.price.registration;
  };

  it('is not paid for a registration', async () => {
    const name = freshName();
    const quoted = await registrationQuote(name);
    subject.setPrices(1.5);

    await expect(subject.registry.register(orderOf(name, 1, quoted))).rejects.toMatchObject(TOO_DEAR);

    expect(await subject.charged(name)).toEqual([]);
  });

  it('is not paid for a renewal', async () => {
    const name = freshName();
    const { expiresAt } = await register(subject.registry, name);
    const before = await subject.charged(name);
    const { renewal } = await subject.registry.price(name, ONE_YEAR);
    subject.setPrices(1.5);

    await expect(
      subject.registry.renew(name, expiresAt, ONE_YEAR, freshId(), renewal, freshId()),
    ).rejects.toMatchObject(TOO_DEAR);

    expect(await subject.charged(name)).toEqual(before);
  });

  it('is not paid for a transfer', async () => {
    const elsewhere = await subject.controls.nameElsewhere?.({ tld: 'com', locked: false });
    if (!elsewhere) throw new Error('the control is missing');
    const { name, authCode } = elsewhere;
    const before = await subject.charged(name);
    const price = await subject.registry.transferPrice(name, ONE_YEAR);
    subject.setPrices(1.5);

    const request = { name, authCode, price, term: ONE_YEAR, registrant: REGISTRANT };
    await expect(
      subject.registry.requestTransfer({ ...request, transactionId: freshId(), idempotencyKey: freshId() }),
    ).rejects.toMatchObject(TOO_DEAR);

    expect(await subject.charged(name)).toEqual(before);
  });
});

/** Pseudorandom numbers from 0 to 1: the same schedule in every run. */
function* schedule(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('1,000 orders at the simulated registry while its prices rise and fall', () => {
  it('cost at most what was quoted, each', async () => {
    const subject = await simulated();
    const { registry } = subject;
    const random = schedule(41);
    const next = () => random.next().value;
    const held: { readonly name: DomainName; expiresAt: Date }[] = [];
    const outcomes = { charged: 0, refused: 0, above: 0 };

    for (let order = 0; order < 1_000; order += 1) {
      subject.setPrices(0.5 + next());
      const known = next() < 0.5 ? held[Math.floor(next() * held.length)] : undefined;
      const name = known?.name ?? freshName();
      const quoted = known
        ? (await registry.price(name, ONE_YEAR)).renewal
        : (await registry.check([name], ONE_YEAR))[0]!.price!.registration;
      // Two of three orders find another price than the one that was quoted.
      if (next() < 2 / 3) subject.setPrices(0.5 + next());
      const before = (await subject.charged(name)).length;
      try {
        const done = known
          ? await registry.renew(name, known.expiresAt, ONE_YEAR, freshId(), quoted, freshId())
          : await registry.register(orderOf(name, 1, quoted));
        if (known) known.expiresAt = done.expiresAt;
        else held.push({ name, expiresAt: done.expiresAt });
      } catch (error) {
        // A term that would end more than ten years ahead is refused, too.
        expect(['price_changed', 'policy']).toContain((error as { readonly reason?: string }).reason);
        outcomes.refused += 1;
      }
      for (const minor of (await subject.charged(name)).slice(before)) {
        outcomes.charged += 1;
        if (!isWithin({ ...quoted, minor }, quoted)) outcomes.above += 1;
      }
    }
    await subject.close();

    expect(outcomes).toMatchObject({ above: 0 });
    expect(outcomes.charged + outcomes.refused).toBe(1_000);
    expect(Math.min(outcomes.charged, outcomes.refused)).toBeGreaterThan(100);
  });
});
