import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerEntry } from '../../../src/application/ports/registry/registry-sandbox';
import { DomainName } from '../../../src/domain/shared/domain-name';
import type { RegistryAdapterName } from '../../../src/infrastructure/registry/registry-factory';
import type { RecordedVendor } from '../../../src/testing/vendor/recorded-vendor';
import type { VendorCommands } from '../../../src/testing/vendor/vendor-controls';
import type { VendorFault } from '../../../src/testing/vendor/vendor-faults';
import {
  ALL_STEPS,
  runCrashCampaign,
  type CampaignOutcome,
  type CampaignRegistrar,
} from '../../crash/run-crash-campaign';
import { SeededRandom } from '../../crash/random';
import { DNSIMPLE_COMMANDS, DNSIMPLE_CREDENTIALS, dnsimpleServer } from '../../support/registrars/dnsimple-server';
import { NAMECOM_COMMANDS, NAMECOM_CREDENTIALS, namecomServer } from '../../support/registrars/namecom-server';
import { REALTIMEREGISTER_COMMANDS } from '../../support/registrars/realtimeregister-controls';
import { REALTIMEREGISTER_CREDENTIALS, realtimeRegisterServer } from '../../support/registrars/realtimeregister-server';
import type { Campaign, CampaignResult } from '../campaign';
import { failuresOf, summaryOf } from '../outages/crash';

interface Registrar {
  readonly adapter: RegistryAdapterName;
  readonly hasAuthCodes: boolean;
  readonly commands: VendorCommands;
  readonly start: () => RecordedVendor;
  readonly settings: (url: string) => Readonly<Record<string, unknown>>;
}

/** The adapters whose stand-ins the campaign uses. */
const REGISTRARS: readonly Registrar[] = [
  {
    adapter: 'namecom',
    hasAuthCodes: true,
    commands: NAMECOM_COMMANDS,
    start: () => namecomServer(),
    settings: (url) => ({ ...NAMECOM_CREDENTIALS, url }),
  },
  {
    adapter: 'dnsimple',
    hasAuthCodes: false,
    commands: DNSIMPLE_COMMANDS,
    start: () => dnsimpleServer(),
    settings: (url) => ({ ...DNSIMPLE_CREDENTIALS, url }),
  },
  {
    adapter: 'realtimeregister',
    hasAuthCodes: true,
    commands: REALTIMEREGISTER_COMMANDS,
    start: () => realtimeRegisterServer(),
    settings: (url) => ({ ...REALTIMEREGISTER_CREDENTIALS, url }),
  },
];

/** Stand-ins show each command at once. Longer than a late command, so that only reads follow a lost one for a while. */
const READ_LAG_SECONDS = 10;
const FAULT_EVERY_MS = 300;
/** The share of the time in which a fault waits for the next request. */
const FAULT_RATE = 0.25;
/** Renewals are what a vendor without idempotency keys may charge twice. */
const SHARES = { registrations: 0.1, renewals: 0.5, records: 0.15 };
const FAULTS: readonly [VendorFault, ...VendorFault[]] = [
  { kind: 'lost_response' },
  { kind: 'refused' },
  { kind: 'truncated' },
  { kind: 'bad_gateway' },
  { kind: 'bad_gateway', takesEffect: true },
  { kind: 'slow', milliseconds: 1_200 },
];

/** A renewal that a proxy runs twice is charged twice: no vendor here lets a client prevent that. Other commands are not. */
function faultsOf({
  register,
  setNameservers,
  setTransferLock,
}: VendorCommands): readonly [VendorFault, ...VendorFault[]] {
  const operations = [register, setNameservers, setTransferLock].flatMap((ids) => ids ?? []);
  return [...FAULTS, { kind: 'duplicate', operations }];
}

/** Kills the service at random points on each registrar's stand-in, then compares its data with the vendor's books. */
export const registrarsCampaign: Campaign = {
  name: 'registrars',
  unit: 'kills of the service on each registrar',
  ciSize: 4,
  fullSize: 100,
  run,
};

async function run(kills: number, seed: number): Promise<CampaignResult> {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-registrars-'));
  const titles = REGISTRARS.map(({ adapter }) => adapter);
  // Side by side, because each waits most of the time.
  const runs = await Promise.all(
    REGISTRARS.map((registrar, index) =>
      runOn(registrar, join(folder, registrar.adapter), kills, new SeededRandom(seed + index)),
    ),
  );
  const outcomes = runs.map(({ outcome }) => outcome);
  const failures = runs.flatMap(({ violations }, index) =>
    violations.map((violation) => `${titles[index]}: ${violation}`),
  );
  failures.push(...failuresOf(titles, outcomes, kills * REGISTRARS.length));
  if (failures.length === 0) rmSync(folder, { recursive: true, force: true });
  else process.stdout.write(`logs in ${folder}\n`);
  return { summary: summaryOf(titles, outcomes), failures };
}

async function runOn(
  { adapter, hasAuthCodes, commands, start, settings }: Registrar,
  folder: string,
  kills: number,
  random: SeededRandom,
): Promise<{ readonly outcome: CampaignOutcome; readonly violations: readonly string[] }> {
  const vendor = start();
  const url = await vendor.start();
  const possible = faultsOf(commands);
  const faults = setInterval(() => {
    // While the service is down, faults must not pile up.
    vendor.faults.clear();
    if (random.next() < FAULT_RATE) vendor.injectFault(random.oneOf(possible));
  }, FAULT_EVERY_MS);
  const registrar: CampaignRegistrar = {
    adapter,
    settings: settings(url),
    traffic: { ...SHARES, hasAuthCodes },
    readLagSeconds: READ_LAG_SECONDS,
    calm: () => {
      clearInterval(faults);
      vendor.faults.clear();
    },
    charges: () => chargesOf(vendor),
  };
  try {
    const outcome = await runCrashCampaign({
      title: adapter,
      label: 'r',
      folder,
      databaseUrl: `sqlite:${join(folder, 'service.db')}`,
      registrar,
      instances: [ALL_STEPS],
      kills,
      random,
    });
    return { outcome, violations: [...new Set(vendor.violations)] };
  } finally {
    registrar.calm();
    await vendor.stop();
  }
}

const KINDS = { registration: 'register', renewal: 'renew', restore: 'restore', transfer: 'transfer' } as const;

function chargesOf({ state }: RecordedVendor): readonly LedgerEntry[] {
  return state.ledger
    .filter(({ status }) => status !== 'refunded')
    .map(({ kind, name, years, amount, at }) => ({
      at,
      kind: KINDS[kind],
      name: DomainName.fromState(name),
      years,
      amount: { minor: amount, currency: 'USD' },
      transactionId: null,
    }));
}
