import { EppDelegation } from '../../../../../../src/infrastructure/registry/epp/objects/epp-delegation';
import { EppClient } from '../../../../../../src/infrastructure/registry/epp/session/epp-client';
import { delegationSignerOf } from '../../../../../../src/domain/dns/delegation-signer';
import type { Registrant } from '../../../../../../src/domain/registration/registrant';
import { NAMESPACES } from '../../../../../../src/infrastructure/registry/epp/codec/namespaces';
import { forTld } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/command';
import {
  contactIdOf,
  createContact,
} from '../../../../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import {
  infoAuthCode,
  infoDomain,
} from '../../../../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { createHost } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import { pollRequest } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/session-commands';
import { dateIn, instantOf } from '../../../../../../src/infrastructure/registry/epp/mapping/data-types';
import type { Services } from '../../../../../../src/infrastructure/registry/epp/mapping/greeting';
import { PROFILES } from '../../../../../../src/infrastructure/registry/epp/profiles/load-profile';
import type { RegistryProfile } from '../../../../../../src/infrastructure/registry/epp/profiles/profile';
import { rfc } from '../../../../../../src/infrastructure/registry/epp/profiles/rfc';
import { ConnectionLost } from '../../../../../../src/infrastructure/registry/epp/session/connection-errors';
import { sessionProfileOf } from '../../../../../../src/infrastructure/registry/epp/session/session-profile';
import { years, REGISTRANT } from '../../../../../../src/testing/registry-fixtures';
import { LIFE, profileNamed, registerLife } from '../../../../../support/epp/recorded-life';
import { ALL_SERVICES, NO_FEES, recordedRegistry } from '../../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../../support/epp/scripted-epp-server';
import { completed, creation } from '../../../../../support/epp/profile-frames';

const OK = resultOf(1000);
const COMPANY = { ...REGISTRANT, organization: 'Analytical Engines', companyNumber: '01234567' };

describe('the profile verisign', () => {
  const verisign = {
    ...profileNamed('verisign'),
    options: { sub_products: { name: 'dotNAME2' }, idn_languages: { Latin: 'DE' } },
  };
  const NAMESTORE =
    '<namestoreExt:namestoreExt xmlns:namestoreExt="http://www.verisign-grs.com/epp/namestoreExt-1.1"><namestoreExt:subProduct>';

  it('names the sub-product of commands on domains and on the hosts for them', () => {
    expect(completed(verisign, infoDomain('one.net'))).toContain(`${NAMESTORE}dotNET<`);
    expect(completed(verisign, forTld(createHost('ns1.other.org', []), 'com'))).toContain(`${NAMESTORE}dotCOM<`);
    expect(completed(verisign, infoDomain('one.name'))).toContain(`${NAMESTORE}dotNAME2<`);
    expect(completed(verisign, pollRequest())).not.toContain('namestoreExt');
  });

  it('names the language of an internationalized name by its script, and refuses a script without one', () => {
    expect(completed(verisign, creation('xn--mnchen-3ya.com'))).toContain('>DE</idnLang:tag>');
    expect(completed(verisign, creation('one.com'))).not.toContain('idnLang');
    expect(() => completed(verisign, creation('xn--e1afmkfd.com'))).toThrow(
      expect.objectContaining({ reason: 'policy', details: expect.stringContaining('needs the language') }),
    );
    expect(completed(verisign, creation('xn--e1afmkfd.com', 'RUS'))).toContain('>RUS</idnLang:tag>');
    expect(() => completed(verisign, creation('xn--e1afmkfd.com', 'a_table'))).toThrow(
      expect.objectContaining({ reason: 'policy', details: expect.stringContaining('no language a_table') }),
    );
  });
});

it.each([
  ['GB', undefined, 'IND'],
  ['GB', 'Engines', 'OTHER'],
  ['JE', undefined, 'FIND'],
  ['DE', 'Engines', 'FOTHER'],
])('a registrant at nominet has a type by country and organization: %s, %s: %s', (country, organization, type) => {
  const registrant = { ...REGISTRANT, organization, address: { ...REGISTRANT.address, country } };

  expect(completed(profileNamed('nominet'), createContact('NW1', registrant, 'secret-1'))).toContain(`:type>${type}<`);
});

describe('the legal form of a registrant', () => {
  const company = (legalForm: string, country = 'GB') => ({
    ...COMPANY,
    companyNumber: undefined,
    legalForm,
    address: { ...COMPANY.address, country },
  });
  const otherStatus = { ...profileNamed('afnic'), options: { organization: 'other' } };

  it.each([
    ['nominet', profileNamed('nominet'), company('RCHAR'), ':type>RCHAR<'],
    ['nominet', profileNamed('nominet'), company('FCORP', 'DE'), ':type>FCORP<'],
    ['sidn', profileNamed('sidn'), company('STICHTING'), ':legalForm>STICHTING<'],
    ['afnic', profileNamed('afnic'), company('association'), 'legalStatus s="association"/>'],
    ['afnic', profileNamed('afnic'), company('commune', 'FR'), 'legalStatus s="other">commune<'],
    ['afnic with options.organization: other', otherStatus, company('commune', 'FR'), 'legalStatus s="other">commune<'],
  ])('is sent instead of the default of the profile: %s', (_what, profile, registrant, element) => {
    expect(completed(profile, createContact('NW1', registrant, 'secret-1'))).toContain(element);
  });

  it.each([
    ['of another registry, at nominet', profileNamed('nominet'), company('STICHTING'), 'must be one of LTD, PLC,'],
    ['of a person, at nominet', profileNamed('nominet'), company('IND'), 'must be one of LTD, PLC,'],
    ['of the United Kingdom, elsewhere', profileNamed('nominet'), company('LTD', 'DE'), 'must be one of FCORP, FOTHER'],
    [
      'of a foreign company, in the United Kingdom',
      profileNamed('nominet'),
      company('FCORP'),
      'must be one of LTD, PLC',
    ],
    ['of a person, at sidn', profileNamed('sidn'), company('PERSOON'), 'must be one of ANDERS, BGG'],
    ['without a name, at afnic', profileNamed('afnic'), company('other'), 'the name of another legal form'],
    [
      'that is missing, at afnic',
      otherStatus,
      { ...COMPANY, companyNumber: undefined },
      'the name of another legal form',
    ],
  ])('is refused before an order: one %s', (_what, profile, registrant, message) => {
    expect(profile.registrantIssues?.(registrant, profile.options)).toEqual([
      { path: 'legal_form', message: expect.stringContaining(message) },
    ]);
  });

  it('makes another contact of the same data', () => {
    const ids = [REGISTRANT, company('LTD'), company('PLC'), { ...company('LTD'), companyNumber: 'LTD' }, COMPANY].map(
      (registrant) => contactIdOf(registrant, 'leonet'),
    );

    expect(new Set(ids).size).toBe(5);
  });
});

describe('the company number of a registrant', () => {
  const company = COMPANY;
  const created = (profile: RegistryProfile, registrant: Registrant = company) =>
    completed(profile, createContact('NW1', registrant, 'secret-1'));

  it('is sent as co-no at nominet, behind the type', () => {
    const nominet = profileNamed('nominet');

    expect(created(nominet)).toMatch(/:type>OTHER<\/[\w-]+:type><[\w-]+:co-no>01234567</);
    expect(created(nominet, REGISTRANT)).not.toContain('co-no');
  });

  it('is required of a school at nominet before the contact is sent', () => {
    const schools = {
      ...profileNamed('nominet'),
      options: { ...profileNamed('nominet').options, organization: 'SCH' },
    };

    expect(created(schools)).toContain('>SCH<');
    expect(() => created(schools, { ...company, companyNumber: undefined })).toThrow(
      expect.objectContaining({ reason: 'policy', details: expect.stringContaining('company_number') }),
    );
  });

  it('is sent as legalFormRegNo at sidn, behind the legal form', () => {
    const sidn = profileNamed('sidn');

    expect(created(sidn)).toMatch(/:legalForm>ANDERS<\/[\w-]+:legalForm><[\w-]+:legalFormRegNo>01234567</);
    expect(created(sidn, REGISTRANT)).not.toContain('legalFormRegNo');
  });

  it.each([
    ['a SIREN of a French organization', 'FR', '552 100 554', 'siren>552100554<'],
    ['a SIRET', 'RE', '55210055400013', 'siren>55210055400013<'],
    ['a local number of another', 'DE', 'HRB 1234', 'local>HRB 1234<'],
  ])('is %s at afnic, behind the legal status', (_what, country, companyNumber, element) => {
    const registrant = { ...company, companyNumber, address: { ...company.address, country } };

    expect(created(profileNamed('afnic'), registrant)).toMatch(
      new RegExp(`legalEntityInfos><frnic:legalStatus s="company"/><frnic:${element}`),
    );
  });

  it('at afnic must be a SIREN or SIRET for a French organization, before the contact is sent', () => {
    const registrant = { ...company, address: { ...company.address, country: 'FR' } };

    expect(() => created(profileNamed('afnic'), registrant)).toThrow(
      expect.objectContaining({ reason: 'policy', details: expect.stringContaining('SIREN') }),
    );
  });

  it('makes another contact of the same data, and contacts without one keep their ids', () => {
    expect(contactIdOf(company, 'leonet')).not.toBe(contactIdOf({ ...company, companyNumber: undefined }, 'leonet'));
    expect(contactIdOf(REGISTRANT, 'leonet')).toBe('NWMT1TVGC9X7WPYA');
  });
});

it('an internationalized name is created with the table of its script and its Unicode form', () => {
  const centralnic = { ...profileNamed('centralnic'), options: { idn_languages: { Latin: ['de', 'fr'] } } };

  expect(completed(centralnic, creation('xn--mnchen-3ya.com'))).toContain(
    '<idn:data xmlns:idn="urn:ietf:params:xml:ns:idn-1.0"><idn:table>de</idn:table><idn:uname>münchen.com</idn:uname></idn:data>',
  );
  expect(completed(centralnic, creation('xn--mnchen-3ya.com', 'fr'))).toContain('<idn:table>fr</idn:table>');
});

/** What the profile makes of a command at a registry that offers none of its extensions. */
const completedWithout = (profile: RegistryProfile, command: ReturnType<typeof infoDomain>) =>
  sessionProfileOf(profile).complete(command, NO_FEES);

describe('an extension of the profile that the registry does not offer', () => {
  const eurid = profileNamed('eurid');

  it('keeps a transform command from being sent without it', () => {
    const rejection = expect.objectContaining({
      reason: 'unsupported',
      details: expect.stringContaining('http://www.eurid.eu/xml/epp/authInfo-1.1'),
    });

    expect(() => completedWithout(eurid, infoAuthCode('one.eu', 'cancel'))).toThrow(rejection);
    expect(() => completedWithout(profileNamed('verisign'), creation('one.com'))).toThrow(
      expect.objectContaining({ details: expect.stringContaining('namestoreExt-1.1') }),
    );
  });

  it('is left out of a query', () => {
    expect(completedWithout(profileNamed('verisign'), infoDomain('one.com')).extensions).toEqual([]);
  });
});

it('a profile that fails to complete a command rejects it before it is sent', () => {
  const failing = {
    ...rfc,
    complete: () => {
      throw new TypeError('no handles');
    },
  };

  expect(() => completed(failing, creation('one.com'))).toThrow(
    expect.objectContaining({ code: 'REGISTRY_REJECTED', details: expect.stringContaining('domain:create') }),
  );
});

describe('a name that the registry calls invalid', () => {
  it.each([2004, 2005, 2306, 2308])('is unregistered for plain EPP: %d', async (code) => {
    expect(await recordedRegistry([resultOf(code)]).registry.info(LIFE)).toBeUndefined();
  });

  it.each([2004, 2005, 2306, 2308])(
    'is no proof that it is gone if the profile completes frames, like with a wrong sub-product: %d',
    async (code) => {
      const verisign = () =>
        recordedRegistry([resultOf(code)], NO_FEES, { profile: profileNamed('verisign') }).registry;

      await expect(verisign().info(LIFE)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
      await expect(verisign().setTransferLock(LIFE, true, 'op-1')).rejects.toMatchObject({
        code: 'REGISTRY_UNAVAILABLE',
      });
    },
  );
});

it.each(Object.values(PROFILES).map((profile) => [profile.name, profile] as const))(
  'a registration with the profile %s takes one command more than the registry needs, the lock, or none',
  async (_name, profile) => {
    const { contacts, transferLock, extensions, objects } = profile;
    const created = OK.replace(
      '</result>',
      '</result><resData><contact:creData xmlns:contact="urn:ietf:params:xml:ns:contact-1.0"><contact:id>REG-77</contact:id></contact:creData></resData>',
    );
    const needed = [...(contacts.use === 'none' ? [] : ['contact:create op-1-2']), 'domain:create op-1'];
    const services = {
      ...NO_FEES,
      objects: [...NO_FEES.objects, ...objects],
      extensions: [...NO_FEES.extensions, ...extensions],
    };
    const answers = [
      ...(contacts.use === 'none' ? [] : [created]),
      '211-create',
      ...(transferLock === 'none' ? [] : [OK]),
    ];
    const { registry, sent } = recordedRegistry(answers, services, { profile });

    expect(await registerLife(registry)).toMatchObject({ transferLocked: transferLock === 'status' });

    const lock = sent.slice(needed.length);
    expect(sent.slice(0, needed.length)).toEqual(needed);
    expect(lock.map((each) => each.split(' ')[0])).toEqual(transferLock === 'none' ? [] : ['domain:update']);
  },
);

describe('the contacts of a profile', () => {
  const assigned = { ...rfc, contacts: { ...rfc.contacts, ids: 'registry', handles: { tech: 'OURS-1' } } } as const;
  const created = OK.replace(
    '</result>',
    '</result><resData><contact:creData xmlns:contact="urn:ietf:params:xml:ns:contact-1.0"><contact:id>REG-77</contact:id><contact:crDate>2026-11-20T15:00:00Z</contact:crDate></contact:creData></resData>',
  );

  it('have the id that the registry assigned, and fixed handles', async () => {
    const { registry, documents, sent } = recordedRegistry([created, '211-create', OK, '211-create', OK], NO_FEES, {
      profile: assigned,
    });

    await registerLife(registry);
    await registerLife(registry);

    expect(documents[0]).toContain('<contact:id>auto</contact:id>');
    expect(documents[1]).toContain('<domain:registrant>REG-77</domain:registrant>');
    expect(documents[1]).toContain('<domain:contact type="tech">OURS-1</domain:contact>');
    expect(documents[1]).toContain('<domain:contact type="admin">REG-77</domain:contact>');
    expect(sent.filter((each) => each.startsWith('contact:create'))).toHaveLength(1);
  });

  it('are deleted by their assigned id after a rejected create, and created again for the next', async () => {
    const { registry, documents, sent } = recordedRegistry(
      [created, resultOf(2104), OK, created, '211-create', OK],
      NO_FEES,
      { profile: assigned },
    );

    await expect(registerLife(registry)).rejects.toMatchObject({ reason: 'credit' });
    await registerLife(registry);

    expect(documents[2]).toContain('<contact:delete');
    expect(documents[2]).toContain('>REG-77<');
    expect(sent[3]).toMatch(/^contact:create/);
  });

  it('are deleted after a rejected create, also if the response to an earlier one was lost', async () => {
    const { registry, documents, sent } = recordedRegistry(
      [created, new ConnectionLost('cut'), resultOf(2104), OK],
      NO_FEES,
      { profile: assigned },
    );

    await expect(registerLife(registry)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
    await expect(registerLife(registry)).rejects.toMatchObject({ reason: 'credit' });

    expect(sent.map((each) => each.split(' ')[0])).toEqual([
      'contact:create',
      'domain:create',
      'domain:create',
      'contact:delete',
    ]);
    expect(documents[3]).toContain('>REG-77<');
  });

  it('stay if another accepted create refers to them', async () => {
    const { registry, left } = recordedRegistry([created, '211-create', OK, resultOf(2104)], NO_FEES, {
      profile: assigned,
    });

    await registerLife(registry);
    await expect(registerLife(registry)).rejects.toMatchObject({ reason: 'credit' });

    expect(left).toEqual([]);
  });

  it('leave the outcome unknown if the registry assigns no id', async () => {
    const { registry } = recordedRegistry([OK], NO_FEES, { profile: assigned });

    await expect(registerLife(registry)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  });

  it('say what the registry discloses', async () => {
    const disclose = { flag: false, elements: ['email', 'name'] } as const;
    const { registry, documents } = recordedRegistry([OK, '211-create', OK], NO_FEES, {
      profile: { ...rfc, contacts: { ...rfc.contacts, disclose } },
    });

    await registerLife(registry);

    expect(documents[0]).toContain(
      '<contact:disclose flag="0"><contact:name type="int"/><contact:email/></contact:disclose>',
    );
  });
});

describe('what a profile does not take', () => {
  const withSigners: Services = { ...NO_FEES, extensions: [...NO_FEES.extensions, NAMESPACES.secDNS] };
  const signer = delegationSignerOf('life187315.test', { flags: 257, algorithm: 13, publicKey: 'AQID' });

  it.each([
    ['an algorithm', { form: 'ds', algorithms: [8] }, 'no DS records of algorithm 13, only of 8'],
    ['a digest type', { form: 'ds', digestTypes: [4] }, 'no DS records of digest type 2, only of 4'],
    ['a number of records', { form: 'ds', maximum: 1 }, 'at most 1 DS records'],
  ] as const)('is refused before anything is sent: %s of DS records', async (_what, dnssec, message) => {
    const { registry, sent } = recordedRegistry([], withSigners, { profile: { ...rfc, dnssec } });

    await expect(registry.setDelegationSigners(LIFE, [signer, { ...signer, keyTag: 1 }], 'op-1')).rejects.toMatchObject(
      {
        reason: 'policy',
        details: expect.stringContaining(message),
      },
    );
    expect(sent).toEqual([]);
  });

  it('is refused before anything is sent: an auth code where there are none', async () => {
    const { registry, sent } = recordedRegistry([], NO_FEES, {
      profile: { ...rfc, authCodes: { create: 'empty', issue: 'none', withdraw: 'none' } },
    });

    await expect(registry.issueAuthCode(LIFE, 'op-1')).rejects.toMatchObject({ reason: 'unsupported' });
    await expect(registry.withdrawAuthCode(LIFE, 'op-1')).rejects.toMatchObject({ reason: 'unsupported' });
    expect(sent).toEqual([]);
  });

  it('is not sent: the term and the fee of a free transfer', async () => {
    const { registry, documents } = recordedRegistry([resultOf(2202)], ALL_SERVICES, {
      profile: { ...rfc, transfers: { ...rfc.transfers, period: 'omitted', charged: false } },
    });

    expect(await registry.transferPrice(LIFE)).toEqual({ minor: 0, currency: 'EUR' });
    await expect(
      registry.requestTransfer({
        name: LIFE,
        term: years(1),
        registrant: REGISTRANT,
        authCode: 'wrong',
        price: { minor: 0, currency: 'EUR' },
        transactionId: 'op-1',
      }),
    ).rejects.toMatchObject({ reason: 'auth_code' });
    expect(documents[0]).not.toMatch(/domain:period|fee:/);
  });
});

const message = (extra: string, text = 'Notice') =>
  resultOf(1301).replace(
    '</result>',
    `</result><msgQ count="1" id="9"><qDate>2026-01-01T00:00:00Z</qDate><msg>${text}</msg></msgQ>${extra}`,
  );
const polled = async (answer: string, profile = rfc) =>
  recordedRegistry([answer, resultOf(2303)], NO_FEES, { profile }).registry.poll();
const polledNames = async (text: string) => {
  const found = await polled(message('', text));
  return [found?.name, ...(found?.furtherNames ?? [])].map((each) => each?.value);
};

describe('a message in an unknown namespace', () => {
  it.each([
    [
      'an element',
      message(
        '<resData><n:notice xmlns:n="http://registry.example/n"><n:a><n:host>ns1.one.test</n:host><n:case>ONE.test</n:case></n:a></n:notice></resData>',
      ),
    ],
    ['its text', message('', 'The name one.test. was suspended by ns1.other.example')],
  ])('is about the first name of ours in %s', async (_where, answer) => {
    expect(await polled(answer)).toMatchObject({ id: '9', kind: 'changed', name: { value: 'one.test' } });
  });

  it.each([
    [
      'an element',
      message('<resData><n:notice xmlns:n="http://registry.example/n"><n:a>München.test</n:a></n:notice></resData>'),
    ],
    [
      'domain data',
      message(
        `<resData><domain:infData xmlns:domain="${NAMESPACES.domain}"><domain:name>münchen.test</domain:name></domain:infData></resData>`,
      ),
    ],
    ['its text', message('', 'The name "münchen.test" was suspended')],
  ])('is about an internationalized name that is written in Unicode in %s', async (_where, answer) => {
    expect(await polled(answer)).toMatchObject({ name: { value: 'xn--mnchen-3ya.test' } });
  });

  it('was sent at a time in the time zone of the profile', async () => {
    const answer = message('').replace('00:00:00Z', '00:00:00');

    expect((await polled(answer, { ...rfc, timeZone: 'Europe/Amsterdam' }))?.at).toEqual(
      new Date('2025-12-31T23:00:00Z'),
    );
  });

  it('is also about the other names of ours in it, each once, and at most 20', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}.test`);

    expect(await polledNames('one.test, two.test, ONE.test and other.example are on hold')).toEqual([
      'one.test',
      'two.test',
    ]);
    expect(await polledNames(names.join(' '))).toEqual(names.slice(0, 20));
  });

  it('is about the names in it although it warns of a low balance', async () => {
    expect(await polled(message('', 'Low balance: one.test cannot be renewed'))).toMatchObject({
      kind: 'low_balance',
      name: { value: 'one.test' },
    });
  });

  it('is about no name if it names none that the registry serves', async () => {
    expect(await polled(message('', 'Maintenance of ns1.one.test and status.registry.example'))).toEqual(
      expect.not.objectContaining({ name: expect.anything() }),
    );
  });
});

it.each([
  ['2027-03-28T01:30:00', '2027-03-28T00:30:00.000Z'],
  ['2027-07-01', '2027-06-30T22:00:00.000Z'],
  ['2027-12-31T23:59:59.5', '2027-12-31T22:59:59.500Z'],
  ['2027-07-01T00:00:00Z', '2027-07-01T00:00:00.000Z'],
])('a date without an offset is in the time zone of the profile: %s', (text, instant) => {
  expect(instantOf(text, 'Europe/Amsterdam').toISOString()).toBe(instant);
  expect(text.startsWith(dateIn(new Date(instant), text.endsWith('Z') ? 'UTC' : 'Europe/Amsterdam'))).toBe(true);
});

const refuse = async () => {
  throw new Error('nothing may be sent');
};

it('a registry without nameservers gets none, and a change of them is rejected before it is sent', async () => {
  const client = new EppClient({ use: refuse, close: async () => undefined });
  const delegation = new EppDelegation(client, 'none', { requireSponsored: refuse });
  const hosts = ['ns1.example.net', 'ns2.example.net'];

  expect(delegation.delegatedHosts(LIFE, hosts)).toEqual([]);
  await expect(client.runCall('op-1', async (ids) => delegation.replace(LIFE, hosts, [], ids))).rejects.toMatchObject({
    reason: 'unsupported',
  });
});
