import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { serverCertificate } from '../../../src/infrastructure/registry/sandbox/epp-server/server-certificate';
import { startSandboxRegistry, type SandboxRegistry } from '../../support/epp/sandbox-registry';
import { describeOrSkip } from '../../support/describe-or-skip';

const SCRIPT = resolve(__dirname, '../../support/epp/net-epp-life.pl');
const run = promisify(execFile);
/** Below the limit of every test, so that a hanging process ends with it. */
const OUTLIVES_NO_TEST_MS = 280_000;

function hasNetEpp(): boolean {
  try {
    execFileSync('perl', ['-MNet::EPP::Simple', '-e', '1'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describeOrSkip(hasNetEpp() ? undefined : 'Net::EPP::Simple is not here (Debian: libnet-epp-perl)')(
  'an independent client, Net::EPP::Simple',
  () => {
    let registry: SandboxRegistry;
    beforeAll(async () => {
      registry = await startSandboxRegistry();
    });
    afterAll(() => registry.stop());

    const life = (certificate: string, label: string) => {
      const { id, password } = registry.registrars.first;
      return run('perl', [SCRIPT, registry.host, String(registry.port), certificate, id, password, label], {
        timeout: OUTLIVES_NO_TEST_MS,
      });
    };

    it('runs a domain lifecycle at the sandbox EPP server with schema-valid frames', async () => {
      // What it gets wrong: an update of a contact has an empty part for what is not to be added or removed.
      registry.exempt((document) => document.includes('<contact:add/><contact:rem/>'));

      const { stdout } = await life(registry.certificate.file, `life${process.pid}`);

      expect(stdout.trim().split('\n').at(-1)).toBe('logged out');
      expect(registry.frames()).toBeGreaterThan(60);
      expect(await registry.faults()).toEqual([]);
    });

    it('rejects a server certificate of another authority', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'namewright-epp-'));
      const { file } = await serverCertificate(folder, new Date());

      await expect(life(file, 'never')).rejects.toMatchObject({
        stderr: expect.stringMatching(/certificate verify failed/),
      });

      rmSync(folder, { recursive: true, force: true });
    });
  },
);
