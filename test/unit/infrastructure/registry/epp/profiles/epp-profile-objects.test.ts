import { contactIdOf } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import { commandDocument } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/command';
import {
  cancelDeletion,
  infoDomain,
  scheduleDeletion,
} from '../../../../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { sessionProfileOf } from '../../../../../../src/infrastructure/registry/epp/session/session-profile';
import { rfc } from '../../../../../../src/infrastructure/registry/epp/profiles/rfc';
import { startEpp } from '../../../../../../src/infrastructure/registry/epp/start-epp';
import { createRegistryContext } from '../../../../../../src/testing/create-registry-context';
import { REGISTRANT } from '../../../../../../src/testing/registry-fixtures';
import { LIFE, profileNamed } from '../../../../../support/epp/recorded-life';
import { NO_FEES, recordedRegistry } from '../../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../../support/epp/scripted-epp-server';

const OK = resultOf(1000);

/** A response to `<domain:info>` for the sponsor, without dates but these. */
const domainInfo = (dates: string, registrant = 'REG-77') =>
  resultOf(
    1000,
    undefined,
    `<resData><domain:infData xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"><domain:name>life187315.test</domain:name><domain:roid>D1</domain:roid><domain:status s="ok"/><domain:registrant>${registrant}</domain:registrant><domain:clID>leonet</domain:clID><domain:crID>leonet</domain:crID>${dates}</domain:infData></resData>`,
  );

describe('the profile sidn', () => {
  const sidn = profileNamed('sidn');

  it.each([
    ['2024-11-20T15:10:01Z', '2026-11-20T15:10:01.000Z'],
    ['2024-11-20T15:10:00Z', '2027-11-20T15:10:00.000Z'],
    ['2026-11-20T15:10:00Z', '2027-11-20T15:10:00.000Z'],
  ])(
    'takes a name without exDate to be renewed by the registry at the next anniversary of %s',
    async (created, end) => {
      const { registry } = recordedRegistry([domainInfo(`<domain:crDate>${created}</domain:crDate>`)], NO_FEES, {
        profile: sidn,
      });

      expect(await registry.info(LIFE)).toMatchObject({ expiresAt: new Date(end), registrarRenews: true });
    },
  );

  it('uses the exDate of a name that has one', async () => {
    const dates =
      '<domain:crDate>2024-01-01T00:00:00Z</domain:crDate><domain:exDate>2030-01-01T00:00:00Z</domain:exDate>';
    const { registry } = recordedRegistry([domainInfo(dates)], NO_FEES, { profile: sidn });

    const held = await registry.info(LIFE);

    expect(held?.expiresAt).toEqual(new Date('2030-01-01T00:00:00Z'));
    expect(held?.registrarRenews).toBe(true);
  });

  it('is needed to read a name of ours without exDate, which is an unreadable response without it', async () => {
    const { registry } = recordedRegistry([domainInfo('<domain:crDate>2024-01-01T00:00:00Z</domain:crDate>')]);

    await expect(registry.info(LIFE)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  });
});

const scheduled = (profile: string) => `${profile}/domain-info-scheduled-deletion`;

const at = (profile: string, ...answers: readonly string[]) =>
  recordedRegistry(answers, NO_FEES, { profile: profileNamed(profile) });

describe('a deletion at the expiry', () => {
  const DATES =
    '<domain:crDate>2026-01-01T00:00:00Z</domain:crDate><domain:exDate>2027-01-01T00:00:00Z</domain:exDate>';
  const plain = domainInfo(DATES);
  const PROFILE_NAMES = ['sidn', 'dns-belgium'] as const;

  it.each(PROFILE_NAMES)('is scheduled once, and no longer shown as renewed by the registrar: %s', async (profile) => {
    const { registry, sent } = at(profile, plain, OK, scheduled(profile), scheduled(profile));

    await registry.setRegistrarRenewal(LIFE, false, 'op-1');

    expect((await registry.info(LIFE))?.registrarRenews).toBeUndefined();
    expect(sent).toEqual(['domain:info', 'domain:deletion:schedule op-1', 'domain:info', 'domain:info']);
  });

  it.each(PROFILE_NAMES)('is cancelled, and the registry renews again: %s', async (profile) => {
    const { registry } = at(profile, scheduled(profile), OK, plain, plain);

    await registry.setRegistrarRenewal(LIFE, true, 'op-1');

    expect(await registry.info(LIFE)).toMatchObject({ registrarRenews: true });
  });

  it.each(PROFILE_NAMES)('is not scheduled again: %s', async (profile) => {
    const { registry, sent } = at(profile, scheduled(profile));

    await registry.setRegistrarRenewal(LIFE, false, 'op-1');

    expect(sent).toEqual(['domain:info']);
  });

  it('leaves the outcome unknown if the registry does not show it', async () => {
    const { registry } = at('dns-belgium', plain, OK, plain);

    await expect(registry.setRegistrarRenewal(LIFE, false, 'op-1')).rejects.toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
    });
  });

  it('is not sent for an expired name, which the registry would delete at once', async () => {
    const { registry, sent } = at('dns-belgium', plain.replace('2027-01-01', '2026-11-01'));

    await expect(registry.setRegistrarRenewal(LIFE, false, 'op-1')).rejects.toMatchObject({ reason: 'status' });
    expect(sent).toEqual(['domain:info']);
  });

  it.each([
    ['sidn', scheduleDeletion, '<domain:update', 'operation>setDateToEndOfSubscriptionPeriod<'],
    ['sidn', cancelDeletion, '<domain:update', 'operation>cancel<'],
    ['dns-belgium', scheduleDeletion, '<domain:delete', 'deleteDate>2027-01-01T00:00:00.000Z<'],
    ['dns-belgium', cancelDeletion, '<domain:undelete', '<undelete>'],
    ['dns-belgium', infoDomain, '<domain:info', 'version="2.0"'],
  ] as const)('is in the words of the registry: %s', (name, command, body, extension) => {
    const profile = profileNamed(name);
    const services = { ...NO_FEES, extensions: profile.extensions };
    const sent = sessionProfileOf(profile).complete(
      command('example.test', new Date('2027-01-01T00:00:00Z')),
      services,
    );
    const document = commandDocument(sent, 'op-1');

    expect(document).toContain(body);
    expect(document).toContain(extension);
  });

  it('is not sent to dns-belgium without its date: the name would be deleted at once', () => {
    const profile = profileNamed('dns-belgium');
    const services = { ...NO_FEES, extensions: profile.extensions };

    expect(() => sessionProfileOf(profile).complete(scheduleDeletion('example.test', undefined), services)).toThrow(
      expect.objectContaining({ code: 'REGISTRY_REJECTED' }),
    );
    expect(() => sessionProfileOf(profile).complete(scheduleDeletion('example.test', new Date(0)), NO_FEES)).toThrow(
      expect.objectContaining({ reason: 'unsupported' }),
    );
  });
});

describe('the end of an auth code at eurid', () => {
  const DATES =
    '<domain:crDate>2026-01-01T00:00:00Z</domain:crDate><domain:exDate>2027-01-01T00:00:00Z</domain:exDate>';
  const until = '2026-11-27T15:10:00.000Z';
  const code = '<domain:authInfo><domain:pw>AAAA-BBBB</domain:pw></domain:authInfo>';
  const shown = domainInfo(`${DATES}${code}`);
  const withEnd = shown.replace(
    '</resData>',
    `</resData><extension><a:infData xmlns:a="http://www.eurid.eu/xml/epp/authInfo-1.1"><a:validUntil>${until}</a:validUntil></a:infData></extension>`,
  );
  const services = { ...NO_FEES, extensions: profileNamed('eurid').extensions };
  const at = (answer: string) => recordedRegistry([answer], services, { profile: profileNamed('eurid') }).registry;

  it('is that of the registry if it shows one, else that of the policy', async () => {
    expect(await at(withEnd).issueAuthCode(LIFE, 'op-1')).toEqual({ code: 'AAAA-BBBB', expiresAt: new Date(until) });
    expect(await at(shown).issueAuthCode(LIFE, 'op-1')).toEqual({
      code: 'AAAA-BBBB',
      expiresAt: new Date('2026-12-04T15:10:00Z'),
    });
  });

  it('is in the data of the domain', async () => {
    expect((await at(withEnd).info(LIFE))?.authCodeUntil).toEqual(new Date(until));
    expect(await at(shown).info(LIFE)).not.toHaveProperty('authCodeUntil');
  });
});

describe('the profile afnic', () => {
  const afnic = profileNamed('afnic');
  it('reads the whole last name of a person', async () => {
    const answers = [domainInfo('<domain:crDate>2024-01-01T00:00:00Z</domain:crDate>'), 'afnic/contact-info-person'];
    const { registry } = recordedRegistry(answers, NO_FEES, { profile: afnic });

    expect(await registry.registrant(LIFE)).toMatchObject({ firstName: 'Maria', lastName: 'de la Cruz' });
  });

  it('declares what it refuses in a registrant', async () => {
    const settings = { host: 'epp.registry.example', client_id: 'namewright', password: 'secret-enough' };
    const { port } = await startEpp({
      ...createRegistryContext({ settings: { ...settings, profile: 'afnic' } }),
      tlds: [{ suffix: 'fr' }],
    });
    const issuesIn = (country: string) =>
      port.policies()[0]?.registrantIssues?.({
        ...REGISTRANT,
        organization: 'Engines',
        companyNumber: '1234',
        address: { ...REGISTRANT.address, country },
      });

    expect(issuesIn('FR')).toEqual([{ path: 'company_number', message: expect.stringContaining('SIREN') }]);
    expect(issuesIn('DE')).toEqual([]);
  });

  it('keeps its length of a transfer if the operator sets other periods', async () => {
    const settings = {
      host: 'epp.registry.example',
      client_id: 'namewright',
      password: 'secret-enough',
      profile: 'afnic',
    };
    const { port } = await startEpp({
      ...createRegistryContext({ settings }),
      tlds: [{ suffix: 'fr', periods: { redemption: 10 } }],
    });

    expect(port.policies()[0]?.periods).toMatchObject({ transfer: 8, redemption: 10, addGrace: 5 });
  });
});

it('dates of a transfer without an offset are in the time zone of the profile', async () => {
  const transfer = `<resData><domain:trnData xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"><domain:name>life187315.test</domain:name><domain:trStatus>pending</domain:trStatus><domain:reID>leonet</domain:reID><domain:reDate>2026-07-01T12:00:00</domain:reDate><domain:acID>other</domain:acID><domain:acDate>2026-07-06T12:00:00</domain:acDate></domain:trnData></resData>`;
  const { registry } = recordedRegistry([resultOf(1000, undefined, transfer)], NO_FEES, {
    profile: { ...rfc, timeZone: 'Europe/Amsterdam' },
  });

  expect(await registry.transferStatus(LIFE)).toMatchObject({
    requestedAt: new Date('2026-07-01T10:00:00Z'),
    endsAt: new Date('2026-07-06T10:00:00Z'),
  });
});

it('a registrant that the registry has already is not set again', async () => {
  const present = domainInfo('<domain:crDate>2024-01-01T00:00:00Z</domain:crDate>', contactIdOf(REGISTRANT, 'leonet'));
  const { registry, sent } = recordedRegistry([present, resultOf(2302)], NO_FEES, {
    profile: { ...rfc, contacts: { ...rfc.contacts, roles: [] } },
  });

  await registry.setRegistrant(LIFE, REGISTRANT, 'op-1');

  expect(sent).toEqual(['domain:info', 'contact:create op-1-2']);
});
