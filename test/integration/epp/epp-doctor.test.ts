import { diagnoseRegistry } from '../../../src/infrastructure/registry/doctor/registry-doctor';
import { startEpp } from '../../../src/infrastructure/registry/epp/start-epp';
import { createRegistryContext } from '../../../src/testing/create-registry-context';
import {
  aCertificate,
  HANG_UP,
  resultOf,
  startScriptedServer,
  type Certificate,
  type ScriptedServer,
  type ScriptedServerOptions,
} from '../../support/epp/scripted-epp-server';
import { MovableClock } from '../../support/fakes/movable-clock';

/** The time of the scripted greeting. */
const GREETED_AT = new Date('2026-01-01T00:00:10Z');
const PASSWORD = 'secret-password';

let certificate: Certificate;
let other: Certificate;
let server: ScriptedServer | undefined;

beforeAll(async () => {
  certificate = await aCertificate();
  other = await aCertificate('other.example');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function diagnose(
  options: Partial<ScriptedServerOptions> = {},
  settings: Readonly<Record<string, unknown>> = {},
  now = GREETED_AT,
) {
  server = await startScriptedServer({ certificate, ...options });
  const context = createRegistryContext({
    settings: {
      host: '127.0.0.1',
      port: server.port,
      client_id: 'namewright',
      password: PASSWORD,
      ca: certificate.cert,
      ...settings,
      ...('ca' in settings && { ca: other.cert }),
    },
  });
  const findings = await diagnoseRegistry({ ...context, factory: startEpp } as never, {
    ...context,
    clock: new MovableClock(now),
  });
  expect(JSON.stringify(findings)).not.toContain(PASSWORD);
  return findings;
}

const lines = (findings: Awaited<ReturnType<typeof diagnose>>) =>
  findings.map(({ check, outcome }) => `${check} ${outcome}`);

describe('registry doctor of an EPP registry', () => {
  it('reports host, TCP, TLS, greeting, clock, login and a check one by one', async () => {
    const findings = await diagnose();

    expect(lines(findings).slice(0, 6)).toEqual(['host ok', 'tcp ok', 'tls ok', 'greeting ok', 'clock ok', 'login ok']);
    const details = findings.map(({ detail }) => detail);
    expect(details[2]).toMatch(/^127\.0\.0\.1:\d+, certificate valid for \d+ days/);
    expect(details[3]).toMatch(/EPP 1\.0, server Scripted, domain-1\.0, host-1\.0, contact-1\.0/);
    expect(details[4]).toBe("the registry's clock differs by 10 s");
    expect(details[5]).toBe('logged in as namewright');
    expect(findings.some(({ check }) => check === 'availability')).toBe(true);
    expect(server?.received.filter((title) => title === 'check').length).toBeGreaterThan(0);
  });

  it.each<[string, Partial<ScriptedServerOptions>, Readonly<Record<string, unknown>>, string, RegExp]>([
    ['a host without an address', {}, { host: 'no-such-host.invalid' }, 'host', /correct host/],
    ['a certificate of an unknown authority', {}, { ca: 'the CA of another server' }, 'tls', /set ca/],
    ['a certificate for another name', {}, { server_name: 'epp.example' }, 'tls', /set server_name/],
    ['a connection closed before the greeting', { greeting: HANG_UP }, {}, 'greeting', /client certificate/],
    ['a server of another protocol', { greeting: resultOf(1000) }, {}, 'greeting', /EPP port/],
    [
      'a refused login',
      { answer: (_command, title, id) => (title === 'login' ? resultOf(2200, id) : undefined) },
      {},
      'login',
      /correct client_id and password/,
    ],
    [
      'a login beyond the session limit',
      { answer: (_command, title, id) => (title === 'login' ? resultOf(2502, id) : undefined) },
      {},
      'login',
      /sessions/,
    ],
  ])('says what to fix after %s', async (_what, options, settings, check, fix) => {
    const findings = await diagnose(options, settings);

    expect(findings.find(({ outcome }) => outcome === 'failed')).toMatchObject({
      check,
      fix: expect.stringMatching(fix),
    });
    expect(server?.received.filter((title) => title === 'login').length).toBeLessThanOrEqual(1);
  });
});
