import { DomainName, RegistryRejected, type JsonClient } from '../../../../../src/adapter';
import { DnsimpleClient } from '../../../../../src/infrastructure/registry/dnsimple/dnsimple-client';
import { DnsimpleDelegation } from '../../../../../src/infrastructure/registry/dnsimple/dnsimple-delegation';
import type { DnsimpleDomains } from '../../../../../src/infrastructure/registry/dnsimple/dnsimple-domains';
import type { NamecomAccount } from '../../../../../src/infrastructure/registry/namecom/namecom-account';
import { NamecomDelegation } from '../../../../../src/infrastructure/registry/namecom/namecom-delegation';

const NAME = DomainName.fromState('example.com');
const DIGEST = 'AB'.repeat(32);

const respond = (status: number, data: unknown) => ({ status, headers: new Headers(), body: { data } });

describe('a DS record that another client removes between the list and its removal', () => {
  it('is removed, at DNSimple', async () => {
    const record = { id: 7, algorithm: '13', digest: DIGEST, digest_type: '2', keytag: '1', public_key: null };
    let isRemoved = false;
    const send: JsonClient['send'] = async ({ method, path }) => {
      if (path.startsWith('/tlds')) return respond(200, { tld: 'com', dnssec_interface_type: 'ds' });
      if (method !== 'DELETE') return respond(200, isRemoved ? [] : [record]);
      isRemoved = true;
      return { ...respond(404, undefined), body: { message: 'Delegation signer record `7` not found' } };
    };
    const client = new DnsimpleClient({ send } as JsonClient, '1010');

    const left = await new DnsimpleDelegation(client, {} as DnsimpleDomains).setDsRecords(NAME, []);

    expect(left).toEqual([]);
    expect(isRemoved).toBe(true);
  });

  it('is removed, at name.com', async () => {
    let isRemoved = false;
    const account = {
      get: async () => ({ dnssec: isRemoved ? [] : [{ keyTag: 1, algorithm: 13, digestType: 2, digest: DIGEST }] }),
      send: async () => {
        isRemoved = true;
        throw new RegistryRejected('not_held', 'Not Found');
      },
    } as unknown as NamecomAccount;

    expect(await new NamecomDelegation(account).setDsRecords(NAME, [])).toEqual([]);
    expect(isRemoved).toBe(true);
  });
});
