import { delegationSignerOf } from '../../../../../../src/domain/dns/delegation-signer';
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
import { updateSigners } from '../../../../../../src/infrastructure/registry/epp/mapping/security';
import { queryTransfer, requestTransfer } from '../../../../../../src/infrastructure/registry/epp/mapping/transfers';
import { PROFILES } from '../../../../../../src/infrastructure/registry/epp/profiles/load-profile';
import { REGISTRANT } from '../../../../../../src/testing/registry-fixtures';
import { EppSchemas } from '../../../../../support/epp/epp-schemas';
import { profileNamed } from '../../../../../support/epp/recorded-life';
import { completed, creation } from '../../../../../support/epp/profile-frames';

const COMPANY = { ...REGISTRANT, organization: 'Analytical Engines', companyNumber: '01234567' };

describe('frames of the profile', () => {
  const schemas = new EppSchemas();
  afterAll(() => schemas.close());

  it.each(Object.keys(PROFILES))('%s are valid for every command', async (name) => {
    const profile = profileNamed(name);
    const { dnssec, hosts, renewal, scheduledDeletion, transfers, contacts: policy } = profile;
    const types = [...policy.roles, ...(policy.requiredHandles ?? []).flatMap(([type = '']) => type)];
    const contacts = { registrant: 'REG-77', byType: Object.fromEntries(types.map((type) => [type, 'REG-77'])) };
    const expiry = new Date('2027-01-01T00:00:00Z');
    const signer = delegationSignerOf('one.com', { flags: 257, algorithm: 13, publicKey: 'AQID' });
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
            updateSigners('one.com', { add: [signer], remove: [{ ...signer, keyTag: 1 }] }, dnssec.form, dnssec),
            updateSigners('one.com', { add: [], remove: 'all' }, dnssec.form, dnssec),
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
