import type { Registrant } from '../../../../../../src/domain/registration/registrant';
import {
  contactIdOf,
  createContact,
} from '../../../../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import type { RegistryProfile } from '../../../../../../src/infrastructure/registry/epp/profiles/profile';
import { rfc } from '../../../../../../src/infrastructure/registry/epp/profiles/rfc';
import { ConnectionLost } from '../../../../../../src/infrastructure/registry/epp/session/connection-errors';
import { REGISTRANT } from '../../../../../../src/testing/registry-fixtures';
import { profileNamed, registerLife } from '../../../../../support/epp/recorded-life';
import { NO_FEES, recordedRegistry } from '../../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../../support/epp/scripted-epp-server';
import { completed } from '../../../../../support/epp/profile-frames';

const OK = resultOf(1000);
const COMPANY = { ...REGISTRANT, organization: 'Analytical Engines', companyNumber: '01234567' };

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

  it('must be a SIREN or SIRET at afnic for a French organization, before the contact is sent', () => {
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
