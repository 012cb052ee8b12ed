import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import {
  childOf,
  elementFactory,
  tokenOf,
  type XmlElement,
} from '../../../src/infrastructure/registry/epp/codec/xml-element';
import { epp, transform } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { registryContract } from '../../../src/testing/registry-contract';
import {
  freshHosts,
  freshId,
  freshName,
  HOSTS,
  register,
  REGISTRANT,
  years,
} from '../../../src/testing/registry-fixtures';
import type { RawEpp } from '../../support/epp/raw-epp';
import { PROFILE_CONTROLS, profileUnderTest } from '../../support/epp/profile-under-test';

const contact = elementFactory(NAMESPACES.contact);
const euridContact = elementFactory('http://www.eurid.eu/xml/epp/contact-ext-1.3');
const dnsbe = elementFactory('http://www.dns.be/xml/epp/dnsbe-1.0');

/** The registrar creates one of its contacts, as it would in the web interface of the registry. */
async function ownContact(client: RawEpp, extension: XmlElement): Promise<string> {
  const address = contact('addr', [contact('street', 'Rue 1'), contact('city', 'Brussels'), contact('cc', 'BE')]);
  const body = contact('create', [
    contact('id', 'AUTO'),
    contact('postalInfo', [contact('name', 'Billing'), contact('org', 'Registrar'), address], { type: 'loc' }),
    contact('voice', '+32.21234567'),
    contact('email', 'billing@example.com'),
    contact('authInfo', contact('pw')),
  ]);
  const { resData } = await client.send(transform('contact:create', epp('create', body), { extensions: [extension] }));
  return tokenOf(childOf(childOf(resData, NAMESPACES.contact, 'creData'), NAMESPACES.contact, 'id')) ?? '';
}

const typedForEurid = (type: string): XmlElement =>
  euridContact('create', [
    euridContact('type', type),
    euridContact('lang', 'en'),
    euridContact('naturalPerson', 'false'),
  ]);
const typedForDnsBelgium = (type: string): XmlElement =>
  dnsbe('ext', dnsbe('create', dnsbe('contact', [dnsbe('type', type), dnsbe('lang', 'en')])));

const euridContacts = async (client: RawEpp) => {
  const billing = await ownContact(client, typedForEurid('billing'));
  const onsite = await ownContact(client, typedForEurid('onsite'));
  return { contact_handles: { billing, onsite } };
};
const dnsBelgiumContacts = async (client: RawEpp) => {
  const billing = await ownContact(client, typedForDnsBelgium('billing'));
  return { contact_handles: { billing, tech: await ownContact(client, typedForDnsBelgium('tech')) } };
};

registryContract('EPP profile contract: eurid', () => profileUnderTest('eurid', euridContacts), {
  tld: 'eu',
  controls: PROFILE_CONTROLS,
  unsupported: [
    'registrar_renewal',
    'hosted_zone',
    'list',
    'restore',
    'price_guard',
    'auto_renew',
    'add_grace',
    'cancel_transfer',
    'decide_transfer',
  ],
});

registryContract('EPP profile contract: nominet', () => profileUnderTest('nominet'), {
  tld: 'co.uk',
  controls: ['advance', 'loseNextResponse', 'lagReads', 'charges'],
  unsupported: [
    'registrar_renewal',
    'hosted_zone',
    'list',
    'auth_code',
    'withdraw_auth_code',
    'transfer_lock',
    'transfer_in',
    'cancel_transfer',
    'decide_transfer',
    'restore',
    'price_guard',
    'auto_renew',
    'add_grace',
  ],
});

registryContract('EPP profile contract: sidn', () => profileUnderTest('sidn'), {
  tld: 'nl',
  controls: PROFILE_CONTROLS,
  unsupported: [
    'renewal',
    'hosted_zone',
    'list',
    'withdraw_auth_code',
    'transfer_lock',
    'restore',
    'price_guard',
    'auto_renew',
    'add_grace',
    'cancel_transfer',
    'decide_transfer',
  ],
});

registryContract('EPP profile contract: dns-belgium', () => profileUnderTest('dns-belgium', dnsBelgiumContacts), {
  tld: 'be',
  controls: ['advance', 'loseNextResponse', 'lagReads', 'charges'],
  unsupported: [
    'hosted_zone',
    'list',
    'auth_code',
    'withdraw_auth_code',
    'renewal',
    'restore',
    'price_guard',
    'auto_renew',
    'add_grace',
    'cancel_transfer',
    'decide_transfer',
  ],
});

registryContract('EPP profile contract: afnic', () => profileUnderTest('afnic'), {
  tld: 'fr',
  controls: PROFILE_CONTROLS,
  unsupported: [
    'registrar_renewal',
    'hosted_zone',
    'list',
    'registrant_change',
    'price_guard',
    'auto_renew',
    'add_grace',
  ],
});

registryContract(
  'EPP profile contract: verisign',
  () => profileUnderTest('verisign', async () => ({ unsupported: ['price_guard'] })),
  {
    tld: 'com',
    controls: PROFILE_CONTROLS,
    unsupported: ['registrar_renewal', 'hosted_zone', 'list', 'price_guard'],
  },
);

registryContract('EPP profile contract: google', () => profileUnderTest('google'), {
  tld: 'app',
  controls: PROFILE_CONTROLS,
  unsupported: ['registrar_renewal', 'hosted_zone', 'list'],
});

const IDN_TABLES = async () => ({ options: { idn_languages: { Latin: ['de', 'fr'] } } });

registryContract('EPP profile contract: centralnic', () => profileUnderTest('centralnic', IDN_TABLES), {
  tld: 'xyz',
  controls: PROFILE_CONTROLS,
  unsupported: ['registrar_renewal', 'hosted_zone', 'list'],
});

registryContract('EPP profile contract: identity-digital', () => profileUnderTest('identity-digital', IDN_TABLES), {
  tld: 'live',
  controls: PROFILE_CONTROLS,
  unsupported: ['registrar_renewal', 'hosted_zone', 'list'],
});

registryContract('EPP profile contract: pir', () => profileUnderTest('pir', IDN_TABLES), {
  tld: 'org',
  controls: PROFILE_CONTROLS,
  unsupported: ['registrar_renewal', 'hosted_zone', 'list'],
});

const CREATE = ['domain:create'];
const CREATE_AND_LOCK = [...CREATE, 'domain:update'];

it.each([
  ['afnic', 'fr', CREATE_AND_LOCK, undefined],
  ['dns-belgium', 'be', CREATE_AND_LOCK, dnsBelgiumContacts],
  ['eurid', 'eu', CREATE_AND_LOCK, euridContacts],
  ['nominet', 'co.uk', CREATE, undefined],
  ['sidn', 'nl', CREATE, undefined],
  ['centralnic', 'xyz', CREATE_AND_LOCK, undefined],
  ['google', 'app', CREATE_AND_LOCK, undefined],
  ['identity-digital', 'live', CREATE_AND_LOCK, undefined],
  ['pir', 'org', CREATE_AND_LOCK, undefined],
  ['verisign', 'com', CREATE_AND_LOCK, undefined],
] as const)('a further name of a registrant takes, at %s under .%s, %j', async (profile, tld, expected, prepare) => {
  const opened = await profileUnderTest(profile, prepare);
  const { registry, commands } = opened;
  try {
    await register(registry, freshName(tld));
    const name = freshName(tld);
    const price = (await registry.check([name]))[0]!.price!.registration;
    const order = { name, term: years(1), registrant: REGISTRANT, nameservers: HOSTS, price, transactionId: freshId() };
    commands.splice(0);

    await registry.register(order);

    expect(commands).toEqual(expected);
  } finally {
    await opened.close();
  }
});

it.each([
  ['nominet', 'co.uk', '01234567', 'LTD', 'GB'],
  ['nominet', 'co.uk', 'HRB 1234', 'FCORP', 'DE'],
  ['sidn', 'nl', '12345678', 'STICHTING', 'NL'],
  ['afnic', 'fr', '552100554', 'association', 'FR'],
  ['afnic', 'fr', 'HRB 1234', 'Genossenschaft', 'DE'],
] as const)(
  'the registry keeps, at %s, company number and legal form of a registrant under .%s: %s, %s in %s',
  async (profile, tld, companyNumber, legalForm, country) => {
    const opened = await profileUnderTest(profile);
    const { registry } = opened;
    const name = freshName(tld);
    const address = { ...REGISTRANT.address, country };
    const registrant = { ...REGISTRANT, organization: 'Analytical Engines', companyNumber, legalForm, address };
    try {
      const price = (await registry.check([name]))[0]!.price!.registration;

      await registry.register({
        name,
        term: years(1),
        registrant,
        nameservers: freshHosts(2),
        price,
        transactionId: freshId(),
      });

      expect(await registry.registrant(name)).toEqual(registrant);
    } finally {
      await opened.close();
    }
  },
);

it('an internationalized name is registered with the table that the account chose', async () => {
  const centralnic = await profileUnderTest('centralnic', IDN_TABLES);
  const { registry } = centralnic;
  const name = DomainName.parse('bücher.xyz');
  const price = (await registry.check([name]))[0]?.price?.registration;
  const order = { name, term: years(1), registrant: REGISTRANT, nameservers: freshHosts(2), transactionId: freshId() };

  const registered = await registry.register({ ...order, price: price!, idnLanguage: 'fr' });

  expect(registered.name.value).toBe(name.value);
  await centralnic.close();
});
