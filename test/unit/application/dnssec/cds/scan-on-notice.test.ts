import { ScanOnNotice } from '../../../../../src/application/dnssec/cds/scan-on-notice';
import type { ScannedDelegation } from '../../../../../src/application/dnssec/cds/scan-delegation';
import { TldPolicies } from '../../../../../src/domain/registration/names/tld-policy';
import { settled, stopTime } from '../../../../support/use-cases/registration-scenario';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const DELEGATED = 'k8s.corp.example';
const HOSTS = ['ns1.elsewhere.net', 'ns2.elsewhere.net'];

async function after(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
  await settled();
}

describe('a NOTIFY(CDS) from the operator of a domain (RFC 9859)', () => {
  let around: UseCaseContext;
  let scanned: string[];
  let fails: boolean;
  let finish: (() => void) | undefined;
  let notices: ScanOnNotice;

  beforeEach(async () => {
    stopTime();
    around = new UseCaseContext();
    scanned = [];
    fails = false;
    finish = undefined;
    const policies = around.registry
      .policies()
      .map((policy) => ({ ...policy, ...(policy.suffix === 'com' && { cds: 'rollovers' as const }) }));
    await around.givenDomain({ id: 'dom_1', name: 'one.com', nameservers: HOSTS });
    await around.givenDomain({ id: 'dom_2', name: 'two.org', nameservers: HOSTS });
    await around.givenDomain({ id: 'dom_3', name: 'ours.com', nameservers: ['ns1.default.net'] });
    const scanChild = {
      isForeign: (nameservers: readonly string[]) => nameservers.join() === HOSTS.join(),
      execute: async ({ name }: { readonly name: string }) => {
        scanned.push(name);
        if (fails) throw new Error('the registry is away');
        const finishOthers = finish;
        if (finishOthers)
          await new Promise<void>((resolve) => {
            finish = () => {
              finishOthers();
              resolve();
            };
          });
      },
    };
    const scanDelegation = {
      find: async (name: string) =>
        name.endsWith('.corp.example')
          ? ({
              name,
              above: { accountId: name.includes('other') ? STRANGER.accountId : OURS.accountId },
            } as ScannedDelegation)
          : undefined,
      execute: scanChild.execute,
    };
    const tlds = new TldPolicies(policies);
    notices = new ScanOnNotice(around.storage.cdsScans, scanChild, scanDelegation, tlds, around.log);
  });
  afterEach(async () => {
    finish?.();
    await notices.stop();
    jest.useRealTimers();
  });

  it.each(['one.com', DELEGATED])('has %s scanned at once', async (name) => {
    expect(await notices.execute(name)).toBe('accepted');
    await after(0);

    expect(scanned).toEqual([name]);
  });

  it.each(['two.org', 'ours.com', 'other.com', 'com', 'www.one.com'])(
    'is refused for %s, which the service does not scan',
    async (name) => {
      expect(await notices.execute(name)).toBe('unknown');
      await after(60_000);

      expect(scanned).toEqual([]);
    },
  );

  it('has the domain scanned once a minute, however many come, and again after the last one', async () => {
    for (let count = 0; count < 50; count += 1) await notices.execute('one.com');
    await after(0);
    expect(scanned).toHaveLength(1);
    for (let count = 0; count < 50; count += 1) await notices.execute('one.com');
    await after(59_000);
    expect(scanned).toHaveLength(1);
    await after(1_000);
    expect(scanned).toHaveLength(2);
    await after(600_000);

    expect(scanned).toHaveLength(2);
  });

  it('is refused for the 101st delegation of an account, of which two are scanned at a time, and others do not wait', async () => {
    finish = () => undefined;
    for (let each = 0; each < 100; each += 1) await notices.execute(`${each}.corp.example`);

    expect(await notices.execute('100.corp.example')).toBe('busy');
    expect(await notices.execute('other.corp.example')).toBe('accepted');
    expect(await notices.execute('one.com')).toBe('accepted');
    await after(0);

    expect(scanned).toEqual(['0.corp.example', '1.corp.example', 'other.corp.example', 'one.com']);
  });

  it('is logged if its scan fails, and the next one is taken', async () => {
    fails = true;
    await notices.execute('one.com');
    await after(0);
    await after(60_000);
    await notices.execute('one.com');
    await after(0);

    expect(scanned).toHaveLength(2);
    expect(around.log.entries.map(({ message }) => message)).toContain('a notified scan for CDS records failed');
  });

  it('is dropped when the service stops, which waits for the scans that run', async () => {
    finish = () => undefined;
    await notices.execute('one.com');
    await after(0);
    await notices.execute('one.com');
    let isStopped = false;
    const stopping = notices.stop().then(() => (isStopped = true));
    await settled();
    expect(isStopped).toBe(false);
    finish();
    await stopping;
    await after(60_000);

    expect(scanned).toEqual(['one.com']);
  });
});
