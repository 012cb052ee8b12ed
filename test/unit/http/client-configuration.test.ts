import {
  acmeDnsStorage,
  certificateNames,
  ddclientConfiguration,
  hostNames,
  httpReqEnvironment,
  routerUrl,
} from '../../../src/http/dashboard/api-keys/client-configuration';

const PARTS = { keyId: 'AbC-dEf_0123', secret: 'secret' };
const URL = 'https://names.example.com';

describe('configurations of clients', () => {
  it('are for the names of certificates that a key for challenges covers', () => {
    const domains = ['example.com'];

    expect(certificateNames({ domains, names: ['_acme-challenge', '_acme-challenge.www'], types: ['TXT'] })).toEqual([
      'example.com',
      'www.example.com',
    ]);
    expect(certificateNames({ domains, names: ['_acme-challenge.**', 'www'], types: ['TXT'] })).toEqual([]);
    expect(certificateNames({ domains, names: ['_acme-challenge'], types: ['A'] })).toEqual([]);
    expect(certificateNames(null)).toEqual([]);
  });

  it('are for the hosts that a key for addresses covers', () => {
    const domains = ['example.com'];

    expect(hostNames({ domains, names: ['@', 'home', '*.lan'], types: ['A', 'AAAA'] })).toEqual([
      'example.com',
      'home.example.com',
    ]);
    expect(hostNames({ domains, names: ['home'], types: ['A', 'TXT'] })).toEqual([]);
    expect(hostNames({ domains, names: ['home'] })).toEqual([]);
    expect(hostNames(null)).toEqual([]);
  });

  it('have what each client asks for', () => {
    expect(JSON.parse(acmeDnsStorage(URL, ['example.com'], PARTS))).toEqual({
      'example.com': {
        fulldomain: '_acme-challenge.example.com',
        subdomain: 'example.com',
        username: 'AbC-dEf_0123',
        password: 'secret',
        server_url: 'https://names.example.com/compat/acme-dns',
        allowfrom: [],
      },
    });
    expect(httpReqEnvironment(URL, PARTS).split('\n')).toEqual([
      'HTTPREQ_ENDPOINT=https://names.example.com/compat/httpreq',
      'HTTPREQ_USERNAME=AbC-dEf_0123',
      'HTTPREQ_PASSWORD=secret',
    ]);
    expect(ddclientConfiguration(URL, ['a.example.com', 'b.example.com'], PARTS).split('\n')).toEqual([
      'ssl=yes',
      'protocol=dyndns2',
      'server=names.example.com',
      'use=web',
      'login=AbC-dEf_0123',
      "password='secret'",
      'a.example.com,b.example.com',
    ]);
    expect(routerUrl(URL, ['a.example.com'])).toBe(
      'https://names.example.com/nic/update?hostname=a.example.com&myip=<ipaddr>&myipv6=<ip6addr>',
    );
  });
});
