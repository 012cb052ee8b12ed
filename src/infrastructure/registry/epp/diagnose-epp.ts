import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Clock } from '../../../application/ports/system';
import { certificateText, clockFinding, type DoctorFinding } from '../doctor/finding';
import { serverOf, servicesOf } from './mapping/greeting';
import { EppConnection, type EppEndpoint, type EppTimeouts } from './session/epp-connection';
import { LoginRefused, type EppSession } from './session/epp-session';

interface Target {
  readonly hosts: readonly string[];
  readonly endpoint: EppEndpoint;
  readonly timeouts: EppTimeouts;
  readonly clientId: string;
  readonly clientCertificateUntil: Date | undefined;
}

const CLIENT_CERTIFICATE =
  'set certificate and private_key if the registry requires a client certificate, and give it to the registry;';
const ALLOW_LIST = 'ask the registry to allow the address of this machine (local_address)';

/** By the code of the error that ended the handshake; others are of the client certificate or the address. */
const TLS_FIXES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'ask the registry to renew its certificate, and check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'set server_name to the name in the certificate, if the registry documents it',
  SELF_SIGNED_CERT_IN_CHAIN: 'set ca to the certificate authority of the registry',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'set ca to the certificate authority of the registry',
  UNABLE_TO_GET_ISSUER_CERT: 'set ca to the certificate authority of the registry',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'set ca to the certificate authority of the registry',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'set ca to the certificate authority of the registry',
};

/** Checks the way to an EPP registry step by step, at each of its hosts, then logs in once, as the service does. */
export async function diagnoseEpp(
  target: Target,
  open: () => Promise<EppSession>,
  clock: Clock,
): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const host of target.hosts) findings.push(...(await diagnoseHost(target, host, clock)));
  if (!findings.some(({ check, outcome }) => check === 'greeting' && outcome === 'ok'))
    return [...findings, { check: 'login', outcome: 'unknown', detail: 'not tried: there was no valid greeting' }];
  return [...findings, await diagnoseLogin(target, open)];
}

/** Ends with the first failure, because the later steps need the earlier ones. */
async function diagnoseHost(target: Target, host: string, clock: Clock): Promise<readonly DoctorFinding[]> {
  const endpoint = { ...target.endpoint, host };
  const network = [await diagnoseName(host)];
  if (network.every(isOk)) network.push(await diagnoseTcp(endpoint, target.timeouts.connectMs));
  if (!network.every(isOk)) return network;
  const at = `${host}:${endpoint.port}`;
  const own = ownCertificate(target, clock.now());
  try {
    const connection = await EppConnection.open(endpoint, target.timeouts);
    const { certificateUntil } = connection;
    const server = certificateUntil && certificateText(certificateUntil, clock.now(), 'the registry must renew it');
    const tls: DoctorFinding = {
      check: 'tls',
      outcome: 'ok',
      detail: `${at}, ${server ?? 'certificate without an end'}`,
    };
    return [...network, tls, ...own, ...(await diagnoseGreeting(connection, at, clock))];
  } catch (error) {
    const { code, detail } = causeOf(error);
    const fix = TLS_FIXES[code] ?? `${CLIENT_CERTIFICATE} ${ALLOW_LIST}`;
    return [...network, { check: 'tls', outcome: 'failed', detail: `${at}: ${detail}`, fix }, ...own];
  }
}

async function diagnoseName(host: string): Promise<DoctorFinding> {
  try {
    const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
    return { check: 'host', outcome: 'ok', detail: `${host} has ${addresses.join(', ')}` };
  } catch (error) {
    const fix = 'correct host in REGISTRIES_FILE, or the resolver of this machine';
    return { check: 'host', outcome: 'failed', detail: `${host}: ${causeOf(error).detail}`, fix };
  }
}

async function diagnoseTcp(endpoint: EppEndpoint, timeoutMs: number): Promise<DoctorFinding> {
  const { host, port, localAddress } = endpoint;
  const from = localAddress === undefined ? '' : ` from ${localAddress}`;
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...(localAddress !== undefined && { localAddress }) });
    const finish = (finding: Omit<DoctorFinding, 'check'>): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ check: 'tcp', ...finding });
    };
    const fail = (reason: string, fix: string): void =>
      finish({ outcome: 'failed', detail: `${host}:${port}${from}: ${reason}`, fix });
    const timer = setTimeout(
      () => fail(`no connection within ${timeoutMs} ms`, `allow port ${port} in the firewall; ${ALLOW_LIST}`),
      timeoutMs,
    );
    socket.once('connect', () => finish({ outcome: 'ok', detail: `${host}:${port} accepts connections${from}` }));
    socket.on('error', (error) => {
      const { code, detail } = causeOf(error);
      const fix =
        code === 'EADDRNOTAVAIL'
          ? 'set local_address to an address of this machine'
          : `check port in REGISTRIES_FILE and the firewall; ${ALLOW_LIST}; otherwise the registry is down`;
      fail(detail, fix);
    });
  });
}

function ownCertificate({ endpoint, clientCertificateUntil: until }: Target, now: Date): readonly DoctorFinding[] {
  const check = 'client_certificate';
  if (endpoint.certificate === undefined) return [];
  if (!until)
    return [{ check, outcome: 'failed', detail: 'cannot be read', fix: 'certificate must be a PEM certificate' }];
  const fix = 'renew it, give the new one to the registry, and restart';
  if (until <= now) return [{ check, outcome: 'failed', detail: `ended on ${until.toISOString().slice(0, 10)}`, fix }];
  return [{ check, outcome: 'ok', detail: certificateText(until, now, fix) }];
}

/** The greeting and the clock. Closes the connection. */
async function diagnoseGreeting(
  connection: EppConnection,
  at: string,
  clock: Clock,
): Promise<readonly DoctorFinding[]> {
  try {
    const document = await connection.greeting();
    const { objects } = servicesOf(document);
    const { id = 'without a name', time } = serverOf(document);
    const detail = `${at}: EPP 1.0, server ${id}, ${objects.map((uri) => uri.replace(/^.*:/, '')).join(', ')}`;
    return [
      { check: 'greeting', outcome: 'ok', detail },
      time
        ? clockFinding('registry', time, clock.now())
        : { check: 'clock', outcome: 'unknown', detail: 'the greeting has no valid svDate' },
    ];
  } catch (error) {
    const fix = `check that port is the EPP port of the registry; ${CLIENT_CERTIFICATE} ${ALLOW_LIST}`;
    return [{ check: 'greeting', outcome: 'failed', detail: `${at}: ${causeOf(error).detail}`, fix }];
  } finally {
    connection.close();
  }
}

async function diagnoseLogin({ clientId }: Target, open: () => Promise<EppSession>): Promise<DoctorFinding> {
  try {
    const session = await open();
    await session.close();
    return { check: 'login', outcome: 'ok', detail: `logged in as ${clientId}` };
  } catch (error) {
    return { check: 'login', outcome: 'failed', detail: causeOf(error).detail, fix: loginFix(error) };
  }
}

function loginFix(error: unknown): string {
  const refusal = error instanceof LoginRefused ? error.refusal : 'temporary';
  if (refusal === 'session_limit')
    return 'stop a process, or set sessions to what the registry allows, less one for this';
  if (refusal === 'temporary') return 'repeat the check later; then contact the registry';
  return `correct client_id and password before the next attempt, because registries lock accounts; ${CLIENT_CERTIFICATE} ${ALLOW_LIST}`;
}

interface Failure {
  readonly code?: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** Errors of a connection have the reason as their cause. They hold no secrets. */
function causeOf(error: unknown): { readonly code: string; readonly detail: string } {
  const failure = isFailure(error) ? error : { message: String(error) };
  const { code = '', message } = isFailure(failure.cause) ? failure.cause : failure;
  return { code, detail: message };
}

/** Not by `instanceof`: the errors of node's TLS may be of another realm. */
function isFailure(error: unknown): error is Failure {
  return typeof error === 'object' && error !== null && 'message' in error;
}

function isOk({ outcome }: DoctorFinding): boolean {
  return outcome === 'ok';
}
