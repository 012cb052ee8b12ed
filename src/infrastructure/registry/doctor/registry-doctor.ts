import { randomInt } from 'node:crypto';
import { connect } from 'node:tls';
import type { Clock } from '../../../application/ports/system';
import type { RegistryAdapter, RegistryContext, RunningRegistry } from '../registry-adapter';
import type { Money } from '../../../domain/shared/money';
import { OtherCurrency } from '../../../application/ports/registry/registry-errors';
import { DomainName } from '../../../domain/shared/domain-name';
import { decimalOf } from '../epp/mapping/amounts';
import type { PreparedRegistry } from '../routing/prepare-registries';
import { certificateText, clockFinding, type DoctorFinding } from './finding';

type Context = Pick<RegistryContext, 'clock' | 'log' | 'currency' | 'mainDatabase'>;

const CHECK_MS = 30_000;

/** Checks a registry with the operator's settings. Changes nothing there. */
export async function diagnoseRegistry(
  registry: PreparedRegistry,
  context: Context,
): Promise<readonly DoctorFinding[]> {
  const { name, factory, settings, tlds } = registry;
  const running = await factory({ name, settings, tlds, ...context });
  try {
    const access = await diagnoseAccess(running, context.clock);
    // Each further refused login counts towards the lock of the account.
    if (running.diagnoseConnection && access.some(({ outcome, check }) => check === 'login' && outcome !== 'ok'))
      return [...access, diagnoseFeatures(running.port)];
    return [
      ...access,
      await diagnoseList(running.port),
      ...(await diagnosePrices(running.port)),
      ...diagnosePassword(running, name),
      diagnoseFeatures(running.port),
    ];
  } finally {
    await running.close();
  }
}

async function diagnoseAccess(running: RunningRegistry, clock: Clock): Promise<readonly DoctorFinding[]> {
  if (running.diagnoseConnection) return running.diagnoseConnection(clock);
  return [await diagnoseTls(running, clock.now()), ...(await diagnoseAccount(running, clock.now()))];
}

async function diagnoseTls({ diagnostics }: RunningRegistry, now: Date): Promise<DoctorFinding> {
  if (!diagnostics) return { check: 'tls', outcome: 'unknown', detail: 'the adapter does not report its address' };
  const url = new URL(diagnostics.address);
  if (url.protocol !== 'https:') return { check: 'tls', outcome: 'unknown', detail: `${url.origin} has no TLS` };
  try {
    const { protocol, validTo } = await certificateOf(url, CHECK_MS);
    const detail = `${url.host}, ${protocol}, ${certificateText(validTo, now, 'ask the vendor')}`;
    return { check: 'tls', outcome: 'ok', detail };
  } catch (error) {
    const fix = 'check DNS, the firewall and the CA certificates of this machine (NODE_EXTRA_CA_CERTS)';
    return { check: 'tls', outcome: 'failed', detail: `${url.host}: ${messageOf(error)}`, fix };
  }
}

async function diagnoseAccount({ diagnostics }: RunningRegistry, startedAt: Date): Promise<readonly DoctorFinding[]> {
  if (!diagnostics)
    return [{ check: 'authentication', outcome: 'unknown', detail: 'see list and availability, which need it' }];
  try {
    const { user, balance, serverTime } = await within(diagnostics.account());
    const asUser = user === undefined ? '' : ` as ${user}`;
    const where = diagnostics.isSandbox ? ` to the vendor's sandbox` : '';
    return [
      { check: 'authentication', outcome: 'ok', detail: `signed in${asUser}${where}` },
      balance === undefined
        ? { check: 'balance', outcome: 'unknown', detail: 'the vendor does not report it' }
        : diagnoseBalance(balance),
      serverTime === undefined
        ? { check: 'clock', outcome: 'unknown', detail: 'the vendor does not report its time' }
        : clockFinding('vendor', serverTime, startedAt),
    ];
  } catch (error) {
    const fix = 'check the credentials, whether they are of the sandbox or of production, and the addresses they allow';
    return [{ check: 'authentication', outcome: 'failed', detail: messageOf(error), fix }];
  }
}

function diagnoseBalance(balance: Money): DoctorFinding {
  const detail = amount(balance);
  if (balance.minor > 0) return { check: 'balance', outcome: 'ok', detail };
  return { check: 'balance', outcome: 'failed', detail, fix: 'add funds: registrations and renewals will be rejected' };
}

async function diagnoseList(port: RegistryAdapter): Promise<DoctorFinding> {
  try {
    const { names, next } = await within(port.list());
    const count = `${names.length}${next === undefined ? '' : ' or more'}`;
    return { check: 'list', outcome: 'ok', detail: `the account holds ${count} ${count === '1' ? 'name' : 'names'}` };
  } catch (error) {
    return failure('list', error);
  }
}

/** The availability of an unregistered name, and its prices. */
async function diagnosePrices(port: RegistryAdapter): Promise<readonly DoctorFinding[]> {
  const suffix = port.policies()[0]?.suffix ?? 'com';
  const name = DomainName.fromState(`namewright-doctor-${randomInt(1e12).toString(36)}.${suffix}`);
  try {
    const [offer] = await within(port.check([name]));
    if (!offer?.available || !offer.price) {
      const fix = `check whether the vendor sells .${suffix}, and whether the account may register it`;
      return [{ check: 'availability', outcome: 'failed', detail: `${name.value} is not available`, fix }];
    }
    const { registration, renewal } = offer.price;
    const detail = `.${suffix}: registration ${amount(registration)}, renewal ${amount(renewal)}`;
    return [
      { check: 'availability', outcome: 'ok', detail: `${name.value} is available` },
      { check: 'price', outcome: 'ok', detail },
    ];
  } catch (error) {
    return [failure('availability', error)];
  }
}

/** After checks that logged in. */
function diagnosePassword({ sessions }: RunningRegistry, registry: string): readonly DoctorFinding[] {
  const until = sessions?.().passwordUntil;
  if (!until) return [];
  const detail = `the registry warns that the password ends on ${until.toISOString().slice(0, 10)}`;
  return [{ check: 'password', outcome: 'failed', detail, fix: `change it: registry password ${registry}` }];
}

function diagnoseFeatures(port: RegistryAdapter): DoctorFinding {
  const missing = [...new Set(port.policies().flatMap(({ unsupported = [] }) => unsupported))].toSorted();
  if (missing.length === 0) return { check: 'features', outcome: 'ok', detail: 'all are supported' };
  return { check: 'features', outcome: 'unsupported', detail: missing.join(', ') };
}

function failure(check: DoctorFinding['check'], error: unknown): DoctorFinding {
  const isUnsupported =
    typeof error === 'object' && error !== null && 'reason' in error && error.reason === 'unsupported';
  if (isUnsupported) return { check, outcome: 'unsupported', detail: messageOf(error) };
  const fix =
    error instanceof OtherCurrency
      ? `set CURRENCY=${error.theirs}, or use an account that is charged in another currency`
      : 'see the detail; repeat the check later';
  return { check, outcome: 'failed', detail: messageOf(error), fix };
}

/** The details of the port's errors, which hold no secrets. */
function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { details, message } = error as { readonly details?: unknown; readonly message?: unknown };
  return String(typeof details === 'string' ? details : message);
}

function amount(money: Money): string {
  return `${decimalOf(money)} ${money.currency}`;
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${CHECK_MS / 1_000} seconds`)), CHECK_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

interface Certificate {
  /** `TLSv1.3`. */
  readonly protocol: string;
  readonly validTo: Date;
}

/** The certificate of a server that this machine trusts. @throws Error if it does not, or without a connection in time */
function certificateOf({ hostname, port }: URL, timeoutMs: number): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, servername: hostname, port: Number(port === '' ? 443 : port) });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the server does not respond')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      resolve({ protocol: socket.getProtocol() ?? 'TLS', validTo: new Date(validTo) });
      socket.destroy();
    });
  });
}
