import { EppDelegation } from '../../../../../../src/infrastructure/registry/epp/objects/epp-delegation';
import { EppClient } from '../../../../../../src/infrastructure/registry/epp/session/epp-client';
import { dsRecordOf } from '../../../../../../src/domain/dns/delegation/ds-record';
import { NAMESPACES } from '../../../../../../src/infrastructure/registry/epp/codec/namespaces';
import { forTld } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/command';
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
import { sessionProfileOf } from '../../../../../../src/infrastructure/registry/epp/session/session-profile';
import { years, REGISTRANT } from '../../../../../../src/testing/registry-fixtures';
import { LIFE, profileNamed, registerLife } from '../../../../../support/epp/recorded-life';
import { ALL_SERVICES, NO_FEES, recordedRegistry } from '../../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../../support/epp/scripted-epp-server';
import { completed, creation } from '../../../../../support/epp/profile-frames';

const OK = resultOf(1000);

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

describe('what a profile does not take', () => {
  const withDsRecords: Services = { ...NO_FEES, extensions: [...NO_FEES.extensions, NAMESPACES.secDNS] };
  const signer = dsRecordOf('life187315.test', { flags: 257, algorithm: 13, publicKey: 'AQID' });

  it.each([
    ['an algorithm', { form: 'ds', algorithms: [8] }, 'no DS records of algorithm 13, only of 8'],
    ['a digest type', { form: 'ds', digestTypes: [4] }, 'no DS records of digest type 2, only of 4'],
    ['a number of records', { form: 'ds', maximum: 1 }, 'at most 1 DS records'],
  ] as const)('is refused before anything is sent: %s of DS records', async (_what, dnssec, message) => {
    const { registry, sent } = recordedRegistry([], withDsRecords, { profile: { ...rfc, dnssec } });

    await expect(registry.setDsRecords(LIFE, [signer, { ...signer, keyTag: 1 }], 'op-1')).rejects.toMatchObject({
      reason: 'policy',
      details: expect.stringContaining(message),
    });
    expect(sent).toEqual([]);
  });

  it('is more keys than may be set; a key counts once, however many digests it has', async () => {
    const { registry, sent } = recordedRegistry([], withDsRecords, {
      profile: { ...rfc, dnssec: { form: 'keys', maximum: 1 } },
    });
    const other = dsRecordOf('life187315.test', { flags: 257, algorithm: 13, publicKey: 'AQIE' });
    const sha384 = dsRecordOf('life187315.test', { flags: 257, algorithm: 13, publicKey: 'AQID' }, 4);
    const refused = { reason: 'policy', details: expect.stringContaining('at most 1 DS records') };

    await expect(registry.setDsRecords(LIFE, [signer, other], 'op-1')).rejects.toMatchObject(refused);
    await expect(registry.setDsRecords(LIFE, [signer, sha384], 'op-2')).rejects.not.toMatchObject(refused);
    expect(sent).not.toEqual([]);
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
