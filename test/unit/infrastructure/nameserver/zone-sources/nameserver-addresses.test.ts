import { Resolver, lookup } from 'node:dns/promises';
import type { NetworkInterfaceInfo } from 'node:os';
import { NameserverAddresses } from '../../../../../src/infrastructure/nameserver/zone-sources/nameserver-addresses';

jest.mock('node:dns/promises');

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'ns1.example.net': ['8.8.8.8'],
  'ns2.example.net': ['2620:fe::fe'],
  'inside.example.net': ['10.0.0.1'],
  'mapped.example.net': ['::ffff:127.0.0.1'],
  'loopback.example.net': ['::1'],
  'both.example.net': ['9.9.9.9', '2620:fe::9'],
};

const interfaceWith = (address: string, internal = false): NodeJS.Dict<NetworkInterfaceInfo[]> => ({
  eth0: [{ address, family: 'IPv4', internal, netmask: '', mac: '', cidr: null }],
});

const resolve = (isIpv6: boolean) => async (host: string) => {
  const found = (ADDRESSES[host] ?? []).filter((address) => address.includes(':') === isIpv6);
  return found.length > 0 ? found : Promise.reject(new Error('ENOTFOUND'));
};

describe('the address of a nameserver', () => {
  beforeEach(() => {
    Resolver.prototype.resolve4 = resolve(false) as Resolver['resolve4'];
    Resolver.prototype.resolve6 = resolve(true) as Resolver['resolve6'];
    // As for a name whose nameservers do not respond: libuv answers two at a time for the whole process.
    jest.mocked(lookup).mockReturnValue(new Promise(() => undefined));
  });

  it('is asked for without a thread of libuv, in which other connections would wait for theirs', async () => {
    const addresses = new NameserverAddresses([]);

    expect(await addresses.resolve('ns1.example.net')).toEqual({ address: '8.8.8.8', port: 53 });
    expect(await addresses.resolve('ns2.example.net')).toEqual({ address: '2620:fe::fe', port: 53 });
    expect(lookup).not.toHaveBeenCalled();
  });

  it.each(['inside.example.net', 'mapped.example.net', 'loopback.example.net', 'unknown.example.net', 'localhost'])(
    'is refused for %s in the same words, so that names of internal hosts cannot be guessed',
    async (host) => {
      await expect(new NameserverAddresses([]).resolve(host)).rejects.toMatchObject({
        code: 'ZONE_SOURCE_FAILED',
        details: `${host} has no public address`,
      });
    },
  );

  it.each([
    ['IPv6 on a host without addresses', {}, '2620:fe::9'],
    ['IPv6 on a host with loopback IPv4', interfaceWith('127.0.0.1', true), '2620:fe::9'],
    ['IPv6 on a host with link-local IPv4', interfaceWith('169.254.3.4'), '2620:fe::9'],
    ['IPv4 on a host with private IPv4', interfaceWith('10.0.0.7'), '9.9.9.9'],
  ])('is %s if the name has both', async (_case, interfaces, address) => {
    const addresses = new NameserverAddresses([], () => interfaces);

    expect(await addresses.resolve('both.example.net')).toEqual({ address, port: 53 });
    expect(await addresses.resolve('ns1.example.net')).toEqual({ address: '8.8.8.8', port: 53 });
    expect(await addresses.resolve('ns2.example.net')).toEqual({ address: '2620:fe::fe', port: 53 });
  });

  it('is asked for in IPv4 and IPv6 at the same time', async () => {
    const resolve6 = jest.fn(resolve(true));
    Resolver.prototype.resolve6 = resolve6 as unknown as Resolver['resolve6'];
    Resolver.prototype.resolve4 = (() => new Promise(() => undefined)) as unknown as Resolver['resolve4'];

    void new NameserverAddresses([]).resolve('both.example.net');

    expect(resolve6).toHaveBeenCalledWith('both.example.net');
  });

  it('is the loopback address for localhost, which no DNS server is asked for', async () => {
    const addresses = new NameserverAddresses([{ address: '127.0.0.0', prefix: 8 }]);

    expect(await addresses.resolve('localhost')).toEqual({ address: '127.0.0.1', port: 53 });
  });

  it('may be in the networks that the operator allows', async () => {
    const addresses = new NameserverAddresses([{ address: '10.0.0.0', prefix: 8 }]);

    expect(await addresses.resolve('inside.example.net')).toEqual({ address: '10.0.0.1', port: 53 });
    expect(await addresses.resolve('10.0.0.1:5353')).toEqual({ address: '10.0.0.1', port: 5353 });
  });
});
