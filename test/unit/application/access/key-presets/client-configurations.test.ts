import { clientConfigurations } from '../../../../../src/application/access/key-presets/client-configurations';
import type { KeyLimits } from '../../../../../src/domain/access/key-limits';

const APIS = ['httpreq', 'acme-dns', 'dyndns'];
const KEY = {
  keyId: 'AbC-dEf_0123',
  text: 'nw_live_AbC-dEf_0123.secret',
  url: 'https://names.example.com',
  apis: APIS,
};

const DOMAINS = ['example.com'];

function configure(limits: KeyLimits | null, apis = APIS): Record<string, string> {
  return Object.fromEntries(clientConfigurations(limits, { ...KEY, apis }).map(({ title, text }) => [title, text]));
}

describe('the configurations of clients', () => {
  it('are for the names of certificates that a key for challenges covers', () => {
    const limits = { domains: DOMAINS, names: ['_acme-challenge', '_acme-challenge.www'], types: ['TXT'] };

    const { 'Storage file of acme-dns clients': storage = '', 'Environment of lego (--dns httpreq)': environment } =
      configure(limits);

    expect(Object.keys(JSON.parse(storage))).toEqual(['example.com', 'www.example.com']);
    expect(JSON.parse(storage)['example.com']).toEqual({
      fulldomain: '_acme-challenge.example.com',
      subdomain: 'example.com',
      username: 'AbC-dEf_0123',
      password: 'secret',
      server_url: 'https://names.example.com/compat/acme-dns',
      allowfrom: [],
    });
    expect(environment?.split('\n')).toEqual([
      'HTTPREQ_ENDPOINT=https://names.example.com/compat/httpreq',
      'HTTPREQ_USERNAME=AbC-dEf_0123',
      'HTTPREQ_PASSWORD=secret',
    ]);
  });

  it('are for the hosts that a key for addresses covers', () => {
    const limits = { domains: DOMAINS, names: ['@', 'home', '*.lan'], types: ['A', 'AAAA'] };

    const { 'Router: update URL, user name, password': router, 'ddclient.conf': ddclient } = configure(limits);

    expect(router?.split('\n')).toEqual([
      'https://names.example.com/nic/update?hostname=example.com,home.example.com&myip=<ipaddr>&myipv6=<ip6addr>',
      'AbC-dEf_0123',
      'secret',
    ]);
    expect(ddclient?.split('\n')).toEqual([
      'ssl=yes',
      'protocol=dyndns2',
      'server=names.example.com',
      'use=web',
      'login=AbC-dEf_0123',
      "password='secret'",
      'example.com,home.example.com',
    ]);
  });

  it.each<[string, KeyLimits | null]>([
    ['no limits', null],
    ['patterns only', { domains: DOMAINS, names: ['_acme-challenge.**'], types: ['TXT'] }],
    ['challenges, but not TXT records', { domains: DOMAINS, names: ['_acme-challenge'], types: ['MX'] }],
    ['more than addresses', { domains: DOMAINS, names: ['home'], types: ['A', 'TXT'] }],
    ['all types of a name', { domains: DOMAINS, names: ['home'] }],
  ])('are absent for a key with %s', (_title, limits) => {
    expect(configure(limits)).toEqual({});
  });

  it('are absent for APIs that are switched off', () => {
    expect(configure({ domains: DOMAINS, names: ['_acme-challenge'], types: ['TXT'] }, ['dyndns'])).toEqual({});
    expect(configure({ domains: DOMAINS, names: ['home'], types: ['A'] }, ['httpreq', 'acme-dns'])).toEqual({});
  });
});
