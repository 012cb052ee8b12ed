import { CdsScanner } from '../../../../../src/application/dnssec/cds/cds-scanner';
import { TldPolicies } from '../../../../../src/domain/registration/names/tld-policy';
import { UseCaseContext } from '../../../../support/use-cases/use-case-context';

const HOSTS = ['ns1.elsewhere.net', 'ns2.elsewhere.net'];

/** Runs the scanner once. Returns the names of the scanned domains. */
async function scanned(cds: 'rollovers' | undefined, fail = false): Promise<readonly string[]> {
  const around = new UseCaseContext();
  const policies = around.registry.policies().map((policy) => ({
    ...policy,
    ...(cds && policy.suffix === 'com' && { cds }),
  }));
  await around.givenDomain({ id: 'dom_1', name: 'one.com', nameservers: HOSTS });
  await around.givenDomain({ id: 'dom_2', name: 'two.com', nameservers: HOSTS });
  await around.givenDomain({ id: 'dom_3', name: 'three.org', nameservers: HOSTS });
  await around.givenDomain({ id: 'dom_4', name: 'ours.com', nameservers: ['ns1.default.net'] });
  const names: string[] = [];
  const scanChild = {
    isForeign: (nameservers: readonly string[]) => nameservers.join() === HOSTS.join(),
    execute: async ({ name }: { readonly name: string }) => {
      names.push(name);
      if (fail) throw new Error('the registry is away');
    },
  };
  const { clock, log, storage } = around;

  await new CdsScanner(storage.cdsScans, scanChild, new TldPolicies(policies), storage.leases, clock, log).run();

  return names;
}

describe('the scanner for CDS records', () => {
  it('scans domains with foreign nameservers of the TLDs that have a policy', async () => {
    expect(await scanned('rollovers')).toEqual(['one.com', 'two.com']);
    expect(await scanned(undefined)).toEqual([]);
  });

  it('goes on after a domain that cannot be scanned', async () => {
    expect(await scanned('rollovers', true)).toEqual(['one.com', 'two.com']);
  });
});
