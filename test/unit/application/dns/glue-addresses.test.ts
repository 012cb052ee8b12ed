import { GlueAddresses } from '../../../../src/application/publishing/glue-addresses';
import type { RegistryDirectory } from '../../../../src/application/ports/registry/registries';
import { aRecord } from '../../../support/data/a-record';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const ONE_REGISTRY: RegistryDirectory = {
  registryFor: ({ parent }) => (['com', 'net'].includes(parent) ? { registry: 'one', concurrency: 1 } : undefined),
};
const TWO_REGISTRIES: RegistryDirectory = { registryFor: ({ parent }) => ({ registry: parent, concurrency: 1 }) };

async function glueOf(registries: RegistryDirectory, status: 'active' | 'pending' = 'active') {
  const around = new UseCaseContext();
  const domain = await around.givenDomain({ name: 'example.com' });
  const other = await around.givenDomain({ id: 'dom_other', accountId: 'acc_2', name: 'other.net', status });
  await around.givenRecords(other.id, [aRecord({ name: 'ns1.inner', content: '192.0.2.5' }, 'rec_9')]);
  const hosts = ['ns1.inner.other.net', 'ns2.other.net', 'ns1.unknown.net'];
  return new GlueAddresses(around.storage.records, around.storage.domains, registries).of(domain, hosts);
}

describe('the addresses of nameservers under another name that the service holds', () => {
  it('are those of its zone if one registry has both names', async () => {
    expect(await glueOf(ONE_REGISTRY)).toMatchObject([{ host: 'ns1.inner.other.net', addresses: ['192.0.2.5'] }]);
    expect(await glueOf(TWO_REGISTRIES)).toEqual([]);
  });

  it('are none before that name is registered', async () => {
    expect(await glueOf(ONE_REGISTRY, 'pending')).toEqual([]);
  });
});

describe('the addresses of nameservers under the domain itself', () => {
  it('are those of its zone, for the hosts that have some there', async () => {
    const around = new UseCaseContext();
    const domain = await around.givenDomain({ name: 'example.com' });
    await around.givenRecords(domain.id, [
      aRecord({ name: 'ns1', content: '192.0.2.1' }, 'rec_1'),
      aRecord({ name: 'ns1', content: '192.0.2.2' }, 'rec_2'),
      aRecord({ name: 'ns1', type: 'AAAA', content: '2001:db8::1' }, 'rec_3'),
      aRecord({ name: 'ns1.inner', content: '192.0.2.3' }, 'rec_4'),
      aRecord({ name: 'ns1.no', content: '192.0.2.4' }, 'rec_6'),
      aRecord({ name: 'ns2', type: 'TXT', content: 'no address' }, 'rec_5'),
    ]);

    const glue = await new GlueAddresses(around.storage.records, around.storage.domains, ONE_REGISTRY).of(domain, [
      'ns1.example.com',
      'ns1.inner.example.com',
      'ns2.example.com',
      'ns3.example.com',
      'ns1.example.net',
      'ns1.notexample.com',
    ]);

    expect(glue).toMatchObject([
      { host: 'ns1.example.com', addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'] },
      { host: 'ns1.inner.example.com', addresses: ['192.0.2.3'] },
    ]);
  });
});
