import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dsRecordOf } from '../../../../../../src/domain/dns/delegation/ds-record';
import { NAMESPACES } from '../../../../../../src/infrastructure/registry/epp/codec/namespaces';
import { forTld } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/command';
import { createContact } from '../../../../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import {
  cancelDeletion,
  checkDomains,
  deleteDomain,
  infoAuthCode,
  infoDomain,
  renewDomain,
  scheduleDeletion,
  updateDomain,
} from '../../../../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import {
  checkHosts,
  createHost,
} from '../../../../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import {
  login,
  pollRequest,
} from '../../../../../../src/infrastructure/registry/epp/mapping/commands/session-commands';
import { updateDsRecords } from '../../../../../../src/infrastructure/registry/epp/mapping/security';
import { queryTransfer, requestTransfer } from '../../../../../../src/infrastructure/registry/epp/mapping/transfers';
import { parseXml } from '../../../../../../src/infrastructure/registry/epp/codec/parse-xml';
import { responseOf } from '../../../../../../src/infrastructure/registry/epp/mapping/response';
import type { EppRegistry } from '../../../../../../src/infrastructure/registry/epp/epp-registry';
import { PROFILES } from '../../../../../../src/infrastructure/registry/epp/profiles/load-profile';
import { REGISTRANT } from '../../../../../../src/testing/registry-fixtures';
import { originOf, profileResponses } from '../../../../../support/epp/epp-fixtures';
import { EppSchemas } from '../../../../../support/epp/epp-schemas';
import { LIFE, profileNamed } from '../../../../../support/epp/recorded-life';
import { NO_FEES, recordedRegistry } from '../../../../../support/epp/recorded-registry';
import { completed, creation } from '../../../../../support/epp/profile-frames';

const COMPANY = { ...REGISTRANT, organization: 'Analytical Engines', companyNumber: '01234567' };

const schemas = new EppSchemas();
afterAll(() => schemas.close());

describe('frames of the profile', () => {
  it.each(Object.keys(PROFILES))('%s are valid for every command', async (name) => {
    const profile = profileNamed(name);
    const { dnssec, hosts, renewal, scheduledDeletion, transfers, contacts: policy } = profile;
    const types = [...policy.roles, ...(policy.requiredHandles ?? []).flatMap(([type = '']) => type)];
    const contacts = { registrant: 'REG-77', byType: Object.fromEntries(types.map((type) => [type, 'REG-77'])) };
    const expiry = new Date('2027-01-01T00:00:00Z');
    const signer = dsRecordOf('one.com', { flags: 257, algorithm: 13, publicKey: 'AQID' });
    const usesCodes = profile.authCodes.issue === 'info';
    const commands = [
      login({
        clientId: 'namewright',
        password: 'secret',
        language: 'en',
        userAgent: 'N',
        objects: [NAMESPACES.domain],
        extensions: profile.extensions,
      }),
      pollRequest(),
      checkDomains(['one.com', 'two.com']),
      infoDomain('one.com'),
      { ...creation('one.com', undefined, hosts), ...(policy.use !== 'none' && { contacts }) },
      updateDomain('one.com', { authCode: 'secret-1' }, hosts),
      updateDomain('one.com', { add: { statuses: ['clientTransferProhibited'] } }, hosts),
      deleteDomain('one.com'),
      {
        ...requestTransfer('one.com', transfers.period === 'sent' ? 1 : undefined, 'secret-1', undefined),
        ...(transfers.contacts && { contacts }),
      },
      queryTransfer('one.com'),
      ...(renewal === 'command' ? [renewDomain('one.com', expiry, 1, undefined)] : []),
      ...(usesCodes ? [infoAuthCode('one.com', 'issue'), infoAuthCode('one.com', 'cancel')] : []),
      ...(scheduledDeletion === 'command' ? [scheduleDeletion('one.com', expiry), cancelDeletion('one.com')] : []),
      ...(dnssec.form === 'none'
        ? []
        : [
            updateDsRecords('one.com', { add: [signer], remove: [{ ...signer, keyTag: 1 }] }, dnssec.form, dnssec),
            updateDsRecords('one.com', { add: [], remove: 'all' }, dnssec.form, dnssec),
          ]),
      ...(hosts === 'object'
        ? [forTld(checkHosts(['ns1.one.com']), 'com'), forTld(createHost('ns1.one.com', ['192.0.2.1']), 'com')]
        : []),
      ...(policy.use === 'none'
        ? []
        : [createContact('NW1', REGISTRANT, 'secret-1'), createContact('NW2', COMPANY, 'secret-1')]),
    ];

    for (const command of commands) {
      // DNS Belgium's own command is not in the schema of RFC 5730.
      const isOwn = name === 'dns-belgium' && command.title === 'domain:deletion:cancel';
      const expected = isOwn ? [expect.stringContaining('undelete')] : [];
      expect([command.title, await schemas.faultsOf(completed(profile, command))]).toEqual([command.title, expected]);
    }
  });

  it('are invalid with an element that the schemas of the extensions do not have', async () => {
    const frame = completed(profileNamed('sidn'), scheduleDeletion('one.nl', new Date('2027-01-01T00:00:00Z')));

    expect(await schemas.faultsOf(frame.replaceAll('operation>', 'unknown>'))).not.toEqual([]);
  });
});

const DOCS = resolve(__dirname, '../../../../../../docs/registries');
const ORIGIN = resolve(__dirname, '../../../../../fixtures/epp/ORIGIN.md');

const COUNTS = Object.keys(PROFILES).map((profile) => {
  const origins = profileResponses(profile).map(({ bytes }) => originOf(responseOf(parseXml(bytes)).svTRID));
  const count = (which: string) => origins.filter((origin) => origin === which).length;
  return { profile, recorded: count('recorded'), constructed: count('constructed') };
});

const info = async (registry: EppRegistry) => registry.info(LIFE);
const poll = async (registry: EppRegistry) => registry.poll();
const registrant = async (registry: EppRegistry) => registry.registrant(LIFE);

/** What is read from each response, by the response's file. */
const READINGS: Readonly<Record<string, readonly [(registry: EppRegistry) => Promise<unknown>, object]>> = {
  'afnic/contact-info-organization': [registrant, { organization: 'Analytical Engines', companyNumber: '552100554' }],
  'afnic/contact-info-person': [registrant, { firstName: 'Maria', lastName: 'de la Cruz' }],
  'dns-belgium/domain-info-scheduled-deletion': [info, { expiresAt: new Date('2027-01-01T00:00:00Z') }],
  'eurid/domain-info': [
    info,
    { phase: 'registered', nameservers: ['ns1.life187315.test', 'ns1.xn--mnchen-3ya.example'] },
  ],
  'eurid/domain-info-quarantined': [info, { phase: 'redemption', phaseEndsAt: new Date('2026-12-24T00:00:00Z') }],
  'nominet/contact-info': [registrant, { lastName: 'Lovelace', companyNumber: '01234567' }],
  'nominet/domain-info': [info, { expiresAt: new Date('2027-01-01T00:00:00Z'), nameservers: ['ns1.life187315.test'] }],
  'nominet/poll-registrar-change': [poll, { kind: 'changed', name: LIFE }],
  'nominet/poll-released': [poll, { kind: 'changed', name: LIFE, furtherNames: [{ value: 'other187315.test' }] }],
  'nominet/poll-suspended': [poll, { kind: 'changed', name: LIFE }],
  'sidn/contact-info': [registrant, { organization: 'Analytical Engines', companyNumber: '01234567' }],
  'sidn/domain-info': [info, { expiresAt: new Date('2027-01-01T00:00:00Z'), registrarRenews: true }],
  'sidn/domain-info-scheduled-deletion': [info, { expiresAt: new Date('2027-01-01T00:00:00Z') }],
  'verisign/domain-info': [info, { phase: 'auto_renew_grace', phaseEndsAt: new Date('2026-12-01T00:00:00Z') }],
  'verisign/domain-info-sub-product': [
    async (registry) => registry.info(LIFE).catch((error: unknown) => error),
    { code: 'REGISTRY_UNAVAILABLE' },
  ],
  'verisign/poll-low-balance': [poll, { kind: 'low_balance', text: 'Low Account Balance (SRS)' }],
  'verisign/poll-rgp': [poll, { kind: 'changed', name: LIFE }],
};

describe('responses of the registry', () => {
  it.each(COUNTS)(
    '$profile: $recorded recorded, $constructed constructed, as the documentation says',
    ({ profile, recorded, constructed }) => {
      const page = readFileSync(profile === 'rfc' ? ORIGIN : join(DOCS, `${profile}.md`), 'utf8');

      expect(page).toContain(`Responses in the tests: ${recorded} recorded, ${constructed} constructed.`);
    },
  );

  it('are each in a folder of a profile, and each is replayed', () => {
    const folder = resolve(ORIGIN, '../profiles');
    const files = readdirSync(folder).flatMap((profile) =>
      readdirSync(join(folder, profile)).map((file) => `${profile}/${file}`),
    );

    expect(Object.keys(READINGS).map((each) => `${each}.xml`)).toEqual(expect.arrayContaining(files));
    expect(Object.keys(READINGS)).toHaveLength(files.length);
    expect(Object.keys(PROFILES)).toEqual(expect.arrayContaining(readdirSync(folder)));
  });

  it.each(Object.entries(READINGS))('are valid, and read by the profile: %s', async (title, [read, expected]) => {
    const [profile = ''] = title.split('/');
    const answers = [...(read === registrant ? ['nominet/domain-info'] : []), title];
    const { registry, left } = recordedRegistry(answers, NO_FEES, { profile: profileNamed(profile) });
    const document = profileResponses(profile).find(({ file }) => `${profile}/${file}` === `${title}.xml`)?.bytes ?? '';

    expect(await schemas.faultsOf(document)).toEqual([]);
    expect(await read(registry)).toMatchObject(expected);
    expect(left).toEqual([]);
  });
});
