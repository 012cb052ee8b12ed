import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config';
import { RegistryCheck } from '../../../src/infrastructure/registry/doctor/registry-check';
import type { RecordedVendor } from '../../../src/testing';
import { MovableClock } from '../../support/fakes/movable-clock';
import { NAMECOM_CREDENTIALS, namecomServer } from '../../support/registrars/namecom-server';
import { build, startProcess } from '../../support/service/service-process';

let vendor: RecordedVendor;
let url: string;
let folder: string;

beforeAll(build);
beforeAll(async () => {
  vendor = namecomServer();
  url = await vendor.start();
  folder = mkdtempSync(join(tmpdir(), 'namewright-doctor-'));
});
afterAll(async () => {
  await vendor.stop();
  vendor.assertNoViolations();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  vendor.served.length = 0;
  vendor.faults.clear();
});

function aCheck({ token = NAMECOM_CREDENTIALS.token, clock = new MovableClock(new Date()), address = url } = {}) {
  const file = join(folder, 'registries.json');
  const settings = { username: NAMECOM_CREDENTIALS.username, token: { env: 'NAMECOM_TOKEN' }, url: address };
  writeFileSync(file, JSON.stringify({ registries: { namecom: { adapter: 'namecom', settings, tlds: ['com'] } } }));
  const config = loadConfig({ DATABASE_URL: `sqlite:${join(folder, 'unused.db')}`, REGISTRIES_FILE: file });
  return new RegistryCheck(config, { NAMECOM_TOKEN: token }, clock);
}

const outcomes = async (check: RegistryCheck) =>
  Object.fromEntries((await check.diagnose('namecom')).map(({ check: name, outcome }) => [name, outcome]));

describe('registry doctor', () => {
  it('reports what works, what the vendor lacks and the prices, and changes nothing', async () => {
    const findings = await aCheck().diagnose('namecom');

    const lines = findings.map(({ check, outcome, detail }) => `${outcome} ${check}: ${detail}`);
    expect(lines).toEqual([
      expect.stringMatching(/^unknown tls: http:\/\/127\.0\.0\.1:\d+ has no TLS$/),
      'ok authentication: signed in as acme-test',
      'ok balance: 1000000.00 USD',
      expect.stringMatching(/^ok clock: the vendor's clock differs by \d s$/),
      'ok list: the account holds 0 names',
      expect.stringMatching(/^ok availability: namewright-doctor-[0-9a-z]+\.com is available$/),
      'ok price: .com: registration 9.99 USD, renewal 13.99 USD',
      'unsupported features: auto_renew, decide_transfer, delete, messages, restore, withdraw_auth_code',
    ]);
    expect(vendor.served.filter(({ text }) => !/^GET |:checkAvailability /.test(text))).toEqual([]);
    expect(vendor.state.ledger).toEqual([]);
  });

  it('says what to fix if the credentials are wrong, without showing them', async () => {
    const findings = await aCheck({ token: 'a-wrong-token' }).diagnose('namecom');

    expect(findings.find(({ check }) => check === 'authentication')).toMatchObject({
      outcome: 'failed',
      detail: 'name.com rejected the credentials (HTTP 401)',
      fix: expect.stringContaining('check the credentials'),
    });
    expect(JSON.stringify(findings)).not.toContain('a-wrong-token');
  });

  it('reports a clock that differs by more than a minute', async () => {
    const clock = new MovableClock(new Date());
    clock.advance({ ms: 120_000 });

    expect((await outcomes(aCheck({ clock })))['clock']).toBe('failed');
  });

  it('reports an empty account', async () => {
    const { balance } = vendor.state;
    vendor.state.balance = 0;

    const found = await outcomes(aCheck());

    vendor.state.balance = balance;
    expect(found['balance']).toBe('failed');
  });

  it('reports a server that cannot be reached, in each check that needs it', async () => {
    const found = await outcomes(aCheck({ address: 'https://127.0.0.1:9' }));

    expect(found).toMatchObject({ tls: 'failed', authentication: 'failed', list: 'failed', availability: 'failed' });
  });

  it('runs the contract tests at a sandbox with --live-sandbox, and exits with 0 if they pass', async () => {
    const file = join(folder, 'sandbox.json');
    const settings = { username: NAMECOM_CREDENTIALS.username, token: { env: 'NAMECOM_TOKEN' }, url, sandbox: true };
    writeFileSync(file, JSON.stringify({ registries: { namecom: { adapter: 'namecom', settings, tlds: ['com'] } } }));

    const { code, stderr } = await startProcess(
      {
        DATABASE_URL: `sqlite:${join(folder, 'operator.db')}`,
        REGISTRIES_FILE: file,
        NAMECOM_TOKEN: NAMECOM_CREDENTIALS.token,
      },
      [process.execPath, 'dist/cli.js', 'registry', 'doctor', 'namecom', '--live-sandbox'],
    ).ended;

    expect(stderr).toMatch(/Tests: +(\d+ skipped, )?\d+ passed, \d+ total/);
    expect(code).toBe(0);
    expect(vendor.state.ledger).not.toEqual([]);
  });

  it('rejects an unknown registry, and the contract tests of a registry that is not a sandbox', async () => {
    await expect(aCheck().diagnose('other')).rejects.toMatchObject({
      details: expect.stringContaining('must be a registry that is configured: namecom'),
    });
    await expect(aCheck().testSandbox('namecom')).rejects.toMatchObject({
      details: expect.stringContaining('sandbox: true'),
    });
    expect(vendor.served).toEqual([]);
  });
});
