import { assert, asyncProperty, option, record, string } from 'fast-check';
import {
  commandDocument,
  helloDocument,
  type EppCommand,
} from '../../../../../src/infrastructure/registry/epp/mapping/commands/command';
import {
  contactIdOf,
  createContact,
} from '../../../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import {
  checkDomains,
  createDomain,
  deleteDomain,
  infoDomain,
  renewDomain,
  reportRestore,
  requestRestore,
  updateDomain,
  type HostMode,
} from '../../../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import {
  checkHosts,
  createHost,
  deleteHost,
  infoHost,
  updateHost,
} from '../../../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import { infoContact } from '../../../../../src/infrastructure/registry/epp/mapping/contact-data';
import { updateDsRecords } from '../../../../../src/infrastructure/registry/epp/mapping/security';
import {
  decideTransfer,
  queryTransfer,
  requestTransfer,
} from '../../../../../src/infrastructure/registry/epp/mapping/transfers';
import { dsRecordOf } from '../../../../../src/domain/dns/delegation/ds-record';
import {
  login,
  logout,
  pollAcknowledgement,
  pollRequest,
} from '../../../../../src/infrastructure/registry/epp/mapping/commands/session-commands';
import { NAMESPACES } from '../../../../../src/infrastructure/registry/epp/codec/namespaces';
import { assertRegistrant, type Registrant } from '../../../../../src/domain/registration/registrant';
import { EppSchemas } from '../../../../support/epp/epp-schemas';
import { seeded } from '../../../../support/seeded';

const { domain, host, contact, rgp, secDNS, fee, loginSec } = NAMESPACES;
const REGISTRANT: Registrant = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};
const EXPIRY = new Date('2027-02-28T23:30:00Z');
const SIGNER = dsRecordOf('example.com', { flags: 257, algorithm: 13, publicKey: 'AQID' });
const PRICE = { minor: 1044, currency: 'USD' };
const HOSTS = [
  { host: 'ns1.example.net', addresses: [] },
  { host: 'ns1.example.com', addresses: ['192.0.2.1', '2001:db8::1'] },
];
const CONTACTS = [
  { type: 'admin', id: 'NW123' },
  { type: 'tech', id: 'NW123' },
];
const LOGIN = {
  clientId: 'namewright',
  password: 'a-password',
  language: 'en',
  userAgent: 'Namewright',
  objects: [domain, host, contact],
  extensions: [rgp, secDNS, fee],
};
const creation = {
  name: 'example.com',
  years: 2,
  hosts: HOSTS,
  contacts: CONTACTS,
  registrant: 'NW123',
  authCode: 'secret-&-<1>',
  price: PRICE,
};
const everyUpdate = {
  add: { hosts: HOSTS, contacts: CONTACTS, statuses: ['clientTransferProhibited'] },
  remove: { hosts: HOSTS.slice(0, 1), statuses: ['clientHold'] },
  registrant: 'NW456',
  authCode: 'secret',
};
const written = (registrant: Registrant) => commandDocument(createContact('NW1', registrant, 'secret'), 'op-1');
const inMode = (hostMode: HostMode): readonly EppCommand[] => [
  createDomain({ ...creation, hostMode }),
  createDomain({ ...creation, hostMode, hosts: [], contacts: [], registrant: undefined, price: undefined }),
  updateDomain('example.com', everyUpdate, hostMode),
  updateDomain('example.com', { authCode: null }, hostMode),
  updateDomain('example.com', { add: { statuses: ['clientTransferProhibited'] } }, hostMode),
];

/** Every command of the adapter in each form. */
const COMMANDS: readonly EppCommand[] = [
  login(LOGIN),
  login({ ...LOGIN, extensions: [] }),
  login({ ...LOGIN, extensions: [loginSec], password: 'a password that is longer than sixteen characters' }),
  logout(),
  pollRequest(),
  pollAcknowledgement('12345'),
  checkDomains(['example.com', 'xn--bcher-kva.com'], { currency: 'USD', create: 2, renew: 1, restore: true }),
  checkDomains(['example.com'], { currency: 'USD', renew: 10 }),
  checkDomains(['example.com'], undefined),
  infoDomain('example.com'),
  ...inMode('object'),
  ...inMode('attribute'),
  renewDomain('example.com', EXPIRY, 10, PRICE),
  renewDomain('example.com', EXPIRY, 1, undefined),
  deleteDomain('example.com'),
  checkDomains(['example.com'], { currency: 'USD', transfer: 1 }),
  queryTransfer('example.com'),
  requestTransfer('example.com', 1, 'secret-&-<1>', PRICE),
  requestTransfer('example.com', 10, 'secret', undefined),
  decideTransfer('example.com', 'approve'),
  decideTransfer('example.com', 'reject'),
  decideTransfer('example.com', 'cancel'),
  updateDsRecords('example.com', { add: [SIGNER], remove: [SIGNER] }, 'ds'),
  updateDsRecords('example.com', { add: [SIGNER], remove: [] }, 'keys'),
  updateDsRecords('example.com', { add: [], remove: 'all' }, 'keys'),
  infoContact('NW123'),
  requestRestore('example.com', PRICE),
  requestRestore('example.com', undefined),
  reportRestore('example.com', { before: 'clID: us', after: 'clID: us', deletedAt: EXPIRY, restoredAt: EXPIRY }),
  checkHosts(['ns1.example.net']),
  infoHost('ns1.example.net'),
  createHost('ns1.example.net', []),
  createHost('ns1.example.com', ['192.0.2.1', '2001:db8::1']),
  updateHost('ns1.example.com', ['192.0.2.1'], ['192.0.2.2']),
  updateHost('ns1.example.com', ['192.0.2.1'], []),
  deleteHost('ns1.example.com'),
  createContact('NW123', REGISTRANT, 'secret'),
  createContact(
    'NW123',
    {
      ...REGISTRANT,
      organization: 'Analytical Engines',
      address: { ...REGISTRANT.address, state: 'London', postalCode: 'SW1Y 4JH' },
    },
    'secret',
  ),
  createContact('NW123', { ...REGISTRANT, firstName: 'José', lastName: 'Groß' }, 'secret'),
  createContact('NW123', { ...REGISTRANT, firstName: '愛' }, 'secret'),
];

describe('commands of the EPP adapter', () => {
  const schemas = new EppSchemas();
  afterAll(() => schemas.close());

  it('are valid by the schemas of the RFCs', async () => {
    for (const command of COMMANDS) {
      const document = commandDocument(command, 'op-01k-1');
      expect({ document, faults: await schemas.faultsOf(document) }).toEqual({ document, faults: [] });
    }
    expect(await schemas.faultsOf(helloDocument())).toEqual([]);
  });

  it('accept every registrant that the domain layer accepts', async () => {
    const line = string({ unit: 'binary', minLength: 1, maxLength: 255 });
    const registrants = record({
      firstName: line,
      lastName: line,
      email: string({ unit: 'binary', minLength: 1, maxLength: 5 }).map((local) => `${local}@example.com`),
      phone: string().map((text) => `+1.${text.replace(/\D/g, '').padEnd(7, '5').slice(0, 12)}`),
      organization: option(line, { nil: undefined }),
      address: record({
        street: line,
        city: line,
        state: option(line, { nil: undefined }),
        postalCode: option(string({ minLength: 1, maxLength: 16 }), { nil: undefined }),
      }).map((address) => ({ ...address, country: 'DE' })),
    }).filter(isAccepted);

    await assert(
      asyncProperty(registrants, async (registrant) => {
        const id = contactIdOf(registrant, 'namewright');
        expect(id).toMatch(/^NW[0-9A-Z]{14}$/);
        expect(await schemas.faultsOf(commandDocument(createContact(id, registrant, 'secret'), 'op-01k-1'))).toEqual(
          [],
        );
      }),
      seeded(300),
    );
  });

  it('name a person with one name by it, with the phone extension and each line of the street', async () => {
    const { address } = REGISTRANT;
    const registrant = {
      ...REGISTRANT,
      firstName: '',
      lastName: 'Ratna',
      phoneExtension: '1234',
      address: { ...address, street: 'Jalan Example 1', street2: 'Floor 2', street3: 'Room 3' },
    };

    const document = commandDocument(createContact('NW12345678901234', registrant, 'secret'), 'op-01k-1');

    expect(await schemas.faultsOf(document)).toEqual([]);
    expect(document).toContain('<contact:name>Ratna</contact:name>');
    expect(document).toContain('<contact:voice x="1234">');
    expect(document.match(/<contact:street>[^<]*/g)).toEqual([
      '<contact:street>Jalan Example 1',
      '<contact:street>Floor 2',
      '<contact:street>Room 3',
    ]);
  });

  it('send currentExpiry as its UTC date', () => {
    expect(commandDocument(renewDomain('example.com', EXPIRY, 1, undefined), 'op-1')).toContain(
      '<domain:curExpDate>2027-02-28</domain:curExpDate>',
    );
  });

  it('send a password that is too long for plain EPP by RFC 8807 only', () => {
    const document = commandDocument(
      login({ ...LOGIN, extensions: [loginSec], password: 'longer-than-sixteen-characters' }),
      'op-1',
    );

    expect(document).toContain('<pw>[LOGIN-SECURITY]</pw>');
    expect(document).toContain('<loginSec:pw>longer-than-sixteen-characters</loginSec:pw>');
  });

  it.each([
    ['sixteen-chars-ok', false],
    ['\u{1f511}'.repeat(16), false],
    ['two  spaces', true],
    [' leading', true],
    ['trailing ', true],
    ['a\ttab', true],
  ])('send the password %j by RFC 8807 only if plain EPP does not allow it: %s', (password, isSecure) => {
    const document = commandDocument(login({ ...LOGIN, extensions: [loginSec], password }), 'op-1');

    expect(document.includes('loginSec:pw')).toBe(isSecure);
    expect(document.includes('<pw>[LOGIN-SECURITY]</pw>')).toBe(isSecure);
    expect(document).toContain(`<extURI>${loginSec}</extURI>`);
  });

  it('are marked as transform commands if they change something, and as queries otherwise', () => {
    expect(COMMANDS.filter(({ transforms }) => !transforms).map(({ title }) => title)).toEqual([
      'login',
      'login',
      'login',
      'logout',
      'poll:req',
      'poll:ack',
      'domain:check',
      'domain:check',
      'domain:check',
      'domain:info',
      'domain:check',
      'domain:transfer:query',
      'contact:info',
      'host:check',
      'host:info',
    ]);
  });
});

describe('EPP contacts of a registrant', () => {
  it('have an id derived from the data and the client id', () => {
    expect(contactIdOf(REGISTRANT, 'us')).toBe(contactIdOf({ ...REGISTRANT }, 'us'));
    expect(contactIdOf(REGISTRANT, 'us')).not.toBe(contactIdOf({ ...REGISTRANT, phone: '+44.2079460001' }, 'us'));
    expect(contactIdOf(REGISTRANT, 'us')).not.toBe(contactIdOf(REGISTRANT, 'them'));
  });

  it('have one int postalInfo for ASCII data', () => {
    expect(written(REGISTRANT)).toContain('<contact:postalInfo type="int"><contact:name>Ada Lovelace</contact:name>');
    expect(written(REGISTRANT)).not.toContain('type="loc"');
  });

  it('have loc and a transliterated int postalInfo for Latin letters', () => {
    expect(written({ ...REGISTRANT, firstName: 'José', lastName: 'Groß' })).toMatch(
      /type="int"><contact:name>Jose Gross<.*type="loc"><contact:name>José Groß</,
    );
  });

  it('have only a loc postalInfo for data that cannot be transliterated', () => {
    expect(written({ ...REGISTRANT, firstName: '愛' })).not.toContain('type="int"');
  });
});

function isAccepted(registrant: Registrant): boolean {
  try {
    assertRegistrant(registrant, '');
    return true;
  } catch {
    return false;
  }
}
