import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import {
  childOf,
  childrenOf,
  elementFactory,
  tokenOf,
  type Content,
  type XmlElement,
} from '../../../src/infrastructure/registry/epp/codec/xml-element';
import {
  epp,
  query,
  transform,
  type EppCommand,
} from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { createHost } from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import type { PersonalityName } from '../../../src/infrastructure/registry/sandbox/epp-server/personalities/personalities';
import { freshName } from '../../../src/testing/registry-fixtures';
import { RawEpp } from '../../support/epp/raw-epp';
import { startSandboxRegistry, type SandboxRegistry } from '../../support/epp/sandbox-registry';

const HOSTS = ['ns1.outside.example', 'ns2.outside.example'];
const domain = elementFactory(NAMESPACES.domain);
const contact = elementFactory(NAMESPACES.contact);

/** Frames of their own, not of the adapter: what a registry refuses is tried here as any client could send it. */
const createDomain = (name: string, parts: Content, ...extensions: readonly XmlElement[]): EppCommand =>
  transform('create', epp('create', domain('create', [domain('name', name), parts, authInfo()])), { extensions });
const updateDomain = (name: string, change: Content, ...extensions: readonly XmlElement[]): EppCommand =>
  transform('update', epp('update', domain('update', [domain('name', name), change])), { extensions });
const infoDomain = (name: string, ...extensions: readonly XmlElement[]): EppCommand =>
  query('info', epp('info', domain('info', domain('name', name))), { extensions });
const transferDomain = (name: string, password: string, ...extensions: readonly XmlElement[]): EppCommand =>
  transform(
    'transfer',
    epp('transfer', domain('transfer', [domain('name', name), domain('authInfo', domain('pw', password))]), {
      op: 'request',
    }),
    { extensions },
  );
const renewDomain = (name: string): EppCommand =>
  transform('renew', epp('renew', domain('renew', [domain('name', name), domain('curExpDate', '2027-01-01')])));
const createContact = (type: 'int' | 'loc', ...extensions: readonly XmlElement[]): EppCommand => {
  const address = contact('addr', [contact('street', 'Rue 1'), contact('city', 'Lille'), contact('cc', 'FR')]);
  const body = contact('create', [
    contact('id', 'any-id'),
    contact('postalInfo', [contact('name', 'Ada Lovelace'), address], { type }),
    contact('voice', '+33.123456789'),
    contact('email', 'ada@example.com'),
    contact('authInfo', contact('pw', 'unused-password')),
  ]);
  return transform('contact', epp('create', body), { extensions });
};
const checkContact = (): EppCommand => query('check', epp('check', contact('check', contact('id', 'any-id'))));
const authInfo = (): XmlElement => domain('authInfo', domain('pw', 'a password of ours'));
const registrant = (id: string): XmlElement => domain('registrant', id);
const role = (type: string, id: string): XmlElement => domain('contact', id, { type });
const lock = domain('add', domain('status', undefined, { s: 'clientTransferProhibited' }));

const domainData = (resData: XmlElement | undefined): XmlElement | undefined =>
  childOf(resData, NAMESPACES.domain, 'infData');
const passwordIn = (resData: XmlElement | undefined): string =>
  tokenOf(childOf(childOf(domainData(resData), NAMESPACES.domain, 'authInfo'), NAMESPACES.domain, 'pw')) ?? '';
const sponsorIn = (resData: XmlElement | undefined): string | undefined =>
  tokenOf(childOf(domainData(resData), NAMESPACES.domain, 'clID'));
const objects = domain(
  'ns',
  HOSTS.map((host) => domain('hostObj', host)),
);
const attributes = domain(
  'ns',
  HOSTS.map((host) => domain('hostAttr', domain('hostName', host))),
);

/** Two logged-in registrars. */
function clientsOf(first: RawEpp, second: RawEpp) {
  return {
    first,
    second,
    code: async (command: EppCommand, client = first): Promise<number> => (await client.send(command)).code,
    contactId: async (command: EppCommand, client = first): Promise<string> => {
      const { resData } = await client.send(command);
      return tokenOf(childOf(childOf(resData, NAMESPACES.contact, 'creData'), NAMESPACES.contact, 'id')) ?? '';
    },
    createHosts: async (): Promise<void> => {
      for (const host of HOSTS) await first.send(createHost(host, []));
    },
  };
}

describe('The sandbox EPP server with the rules of a registry', () => {
  const started: { registry: SandboxRegistry; clients: RawEpp[] }[] = [];

  async function simulated(personality: PersonalityName): Promise<ReturnType<typeof clientsOf>> {
    const registry = await startSandboxRegistry({ personality });
    const clients = [await RawEpp.loggedIn(registry), await RawEpp.loggedIn(registry, 'second')];
    started.push({ registry, clients });
    return clientsOf(clients[0]!, clients[1]!);
  }

  afterEach(async () => {
    for (const { registry, clients } of started.splice(0)) {
      for (const client of clients) await client.close();
      const faults = await registry.faults();
      const errors = registry.log.entries.filter(({ level }) => level === 'error');
      await registry.stop();
      expect(faults).toEqual([]);
      expect(errors).toEqual([]);
    }
  });

  it('refuses contacts, a missing product and the product of another TLD, for verisign', async () => {
    const { code, first } = await simulated('verisign');
    const namestore = elementFactory('http://www.verisign-grs.com/epp/namestoreExt-1.1');
    const product = (name: string) => namestore('namestoreExt', namestore('subProduct', name));
    const name = freshName('com').value;

    expect(await code(createContact('int'))).toBe(2307);
    expect(await code(createDomain(name, registrant('any-id'), product('dotCOM')))).toBe(2306);
    expect(await code(infoDomain(name))).toBe(2003);
    expect(await code(infoDomain(name, product('dotNET')))).toBe(2306);
    expect(await code(createDomain('xn--bcher-kva.com', undefined, product('dotCOM')))).toBe(2003);
    const created = await first.send(infoDomain(name, product('dotCOM')));
    expect(created.code).toBe(2303);
  });

  it('assigns contact ids, types contacts, issues auth codes on request and transfers at once, for eurid', async () => {
    const { code, first, second, contactId } = await simulated('eurid');
    const contactExt = elementFactory('http://www.eurid.eu/xml/epp/contact-ext-1.3');
    const domainExt = elementFactory('http://www.eurid.eu/xml/epp/domain-ext-2.6');
    const authInfoExt = elementFactory('http://www.eurid.eu/xml/epp/authInfo-1.1');
    const typed = (type: string) =>
      contactExt('create', [contactExt('type', type), contactExt('lang', 'en'), contactExt('naturalPerson', 'true')]);
    const name = freshName('eu').value;
    const holder = await contactId(createContact('loc', typed('registrant')));
    const billing = await contactId(createContact('loc', typed('billing')));
    const onsite = await contactId(createContact('loc', typed('onsite')));
    const theirs = await contactId(createContact('loc', typed('registrant')), second);
    const theirBilling = await contactId(createContact('loc', typed('billing')), second);

    expect(holder).toBe('c1001');
    expect(await code(createContact('loc'))).toBe(2003);
    expect(await code(createContact('int', typed('registrant')))).toBe(2306);
    expect(await code(checkContact())).toBe(2101);
    expect(await code(createDomain(name, [attributes, registrant('any-id'), role('billing', billing)]))).toBe(2303);
    expect(await code(createDomain(name, [attributes, registrant(billing), role('billing', billing)]))).toBe(2306);
    expect(await code(createDomain(name, [attributes, registrant(holder)]))).toBe(2306);
    const extension = domainExt('create', domainExt('contact', onsite, { type: 'onsite' }));
    expect(await code(createDomain(name, [attributes, registrant(holder), role('billing', billing)], extension))).toBe(
      1000,
    );
    expect(await code(updateDomain(name, domain('chg', authInfo())))).toBe(2102);
    const shown = await first.send(infoDomain(name));
    const { namespace } = extension;
    const data = childOf(shown.extension, namespace, 'infData');
    expect(childrenOf(data, namespace, 'contact').map(tokenOf)).toEqual([onsite]);

    const issued = await first.send(infoDomain(name, authInfoExt('info', authInfoExt('request'))));
    const password = passwordIn(issued.resData);
    expect(childOf(issued.extension, authInfoExt('infData').namespace, 'infData')).toBeDefined();
    expect(passwordIn((await first.send(infoDomain(name))).resData)).toBe('');
    expect(await code(transferDomain(name, password), second)).toBe(2003);
    const contacts = domainExt(
      'transfer',
      domainExt('request', [domainExt('registrant', theirs), domainExt('contact', theirBilling, { type: 'billing' })]),
    );
    expect(await code(transferDomain(name, 'another password', contacts), second)).toBe(2202);
    expect(await code(transferDomain(name, password, contacts), second)).toBe(1000);
    expect(sponsorIn((await second.send(infoDomain(name))).resData)).toBe('second-regist');
  });

  it('assigns handles, shows its token, refuses statuses and transfers at once, for sidn', async () => {
    const { code, first, second, contactId, createHosts } = await simulated('sidn');
    const sidn = elementFactory('http://rxsd.domain-registry.nl/sidn-ext-epp-1.0');
    const person = sidn('ext', sidn('create', sidn('contact', sidn('legalForm', 'PERSOON'))));
    const name = freshName('nl').value;
    const id = await contactId(createContact('loc', person));
    await createHosts();

    expect(id).toMatch(/^[A-Z]{3}\d{6}-[A-Z]{5}$/);
    expect(await code(createContact('loc'))).toBe(2003);
    expect(await code(createDomain(name, [objects, registrant(id), role('tech', id)]))).toBe(2306);
    expect(await code(createDomain(name, [objects, registrant(id), role('admin', id), role('tech', id)]))).toBe(1000);
    expect(await code(updateDomain(name, lock))).toBe(2306);
    const token = passwordIn((await first.send(infoDomain(name))).resData);
    expect(passwordIn((await first.send(infoDomain(name))).resData)).toBe(token);
    expect(await code(transferDomain(name, token), second)).toBe(1000);
    expect(passwordIn((await second.send(infoDomain(name))).resData)).not.toBe(token);
  });

  it('has registrants only, no transfers, auth codes or statuses, for nominet', async () => {
    const { code, first, contactId, createHosts } = await simulated('nominet');
    const nominet = elementFactory('http://www.nominet.org.uk/epp/xml/contact-nom-ext-1.0');
    const name = freshName('co.uk').value;
    await createHosts();
    const id = await contactId(createContact('loc', nominet('create', nominet('type', 'IND'))));

    expect(id).toBe('any-id');
    expect(await code(createContact('loc', nominet('create', nominet('type', 'PERSON'))))).toBe(2005);
    expect(await code(createContact('loc', nominet('create', nominet('type', 'SCH'))))).toBe(2003);
    expect(await code(createDomain(name, [objects, registrant(id), role('admin', id)]))).toBe(2306);
    expect(await code(createDomain(name, [objects, registrant(id)]))).toBe(1000);
    expect(await code(updateDomain(name, lock))).toBe(2306);
    expect(await code(updateDomain(name, domain('chg', authInfo())))).toBe(2102);
    expect(await code(transferDomain(name, 'any password'))).toBe(2101);
    expect((await first.send(infoDomain(name))).extension?.children[0]?.name).toBe('infData');
  });

  it('moves a released name at once, and refuses unknown tags and names of others, for nominet', async () => {
    const { code, first, second, contactId, createHosts } = await simulated('nominet');
    const nominet = elementFactory('http://www.nominet.org.uk/epp/xml/contact-nom-ext-1.0');
    const std = elementFactory('http://www.nominet.org.uk/epp/xml/std-release-1.0');
    const name = freshName('co.uk').value;
    const release = (tag: string) =>
      transform('release', epp('update', std('release', [std('domainName', name), std('registrarTag', tag)])));
    await createHosts();
    const id = await contactId(createContact('loc', nominet('create', nominet('type', 'IND'))));
    await first.send(createDomain(name, [objects, registrant(id)]));

    expect((await first.send(release('NOMINET'))).reason).toContain('V055');
    expect((await first.send(release('NOTAREALTAG'))).reason).toContain('V016');
    expect((await second.send(release('first-registrar'))).reason).toContain('V096');
    expect(await code(release('second-regist'))).toBe(1000);
    expect(await code(release('second-regist'))).toBe(2201);
    expect(sponsorIn((await second.send(infoDomain(name))).resData)).toBe('second-regist');
  });

  it('assigns ids, types contacts and renews names itself, for dns-belgium', async () => {
    const { code, contactId } = await simulated('dns-belgium');
    const dnsbe = elementFactory('http://www.dns.be/xml/epp/dnsbe-1.0');
    const typed = (type: string) =>
      dnsbe('ext', dnsbe('create', dnsbe('contact', [dnsbe('type', type), dnsbe('lang', 'en')])));
    const name = freshName('be').value;
    const licensee = await contactId(createContact('loc', typed('licensee')));
    const billing = await contactId(createContact('loc', typed('billing')));
    const tech = await contactId(createContact('loc', typed('tech')));

    expect(await code(createContact('loc', typed('registrant')))).toBe(2005);
    const owned = [attributes, registrant(licensee), role('billing', billing)];
    expect(await code(createDomain(name, owned))).toBe(2306);
    expect(await code(createDomain(name, [...owned, role('tech', licensee)]))).toBe(2306);
    expect(await code(createDomain(name, [...owned, role('tech', tech)]))).toBe(1000);
    expect(await code(renewDomain(name))).toBe(2101);
    expect(await code(updateDomain(name, domain('chg', authInfo())))).toBe(2102);
  });

  it('assigns ids, needs the contacts of a transfer and does not change registrants, for afnic', async () => {
    const { code, second, contactId, createHosts } = await simulated('afnic');
    const frnic = elementFactory('http://www.afnic.fr/xml/epp/frnic-2.0');
    const person = frnic('ext', frnic('create', frnic('contact', frnic('firstName', 'Ada'))));
    const name = freshName('fr').value;
    await createHosts();
    const id = await contactId(createContact('loc', person));
    const theirs = await contactId(createContact('loc', person), second);
    const contacts = [role('admin', id), role('tech', id)];
    const transfer = frnic(
      'ext',
      frnic(
        'transfer',
        frnic(
          'domain',
          ['admin', 'tech'].map((type) => frnic('contact', theirs, { type })),
          { keepDS: '0' },
        ),
      ),
    );

    expect(id).not.toBe('any-id');
    expect(await code(createContact('loc'))).toBe(2003);
    expect(await code(createDomain(name, [objects, registrant(id), role('tech', id)]))).toBe(2306);
    expect(await code(createDomain(name, [objects, registrant(id), ...contacts]))).toBe(1000);
    expect(await code(updateDomain(name, domain('chg', registrant(theirs))))).toBe(2306);
    expect(await code(transferDomain(name, 'a password of ours'), second)).toBe(2003);
    expect(await code(transferDomain(name, 'a password of ours', transfer), second)).toBe(1001);
  });
});
