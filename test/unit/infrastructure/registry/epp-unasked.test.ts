import {
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../../src/application/ports/registry/registry-errors';
import type { RegistryPort } from '../../../../src/application/ports/registry/registry-port';
import { DomainName } from '../../../../src/domain/registration/domain-name';
import { Nameservers } from '../../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../../src/domain/registration/registration-term';
import { ConnectionLost } from '../../../../src/infrastructure/registry/epp/session/connection-lost';
import { REGISTRANT } from '../../../../src/testing/registry-fixtures';
import { recordedRegistry, type Answer } from '../../../support/epp/recorded-registry';
import { resultOf } from '../../../support/epp/scripted-epp-server';

const LIFE = DomainName.fromState('life187315.test');
const EXPIRY = new Date('2028-11-20T15:08:36.244Z');
const NO_SESSION = new RegistryNotContacted('The registry cannot be reached', 7);
const LOST = new ConnectionLost('gone');
const ok = resultOf(1000);
const eur = (minor: number) => ({ minor, currency: 'EUR' });

type Call = (registry: RegistryPort) => Promise<unknown>;
const register: Call = (registry) =>
  registry.register({
    name: LIFE,
    term: RegistrationTerm.ofYears(2),
    registrant: REGISTRANT,
    nameservers: Nameservers.of(['ns1.ex187315.net', 'ns2.ex187315.net']),
    price: eur(1_000),
    transactionId: 'op-1',
  });
const renew: Call = (registry) => registry.renew(LIFE, EXPIRY, RegistrationTerm.ofYears(1), 'op-1');
const lock: Call = (registry) => registry.setTransferLock(LIFE, true, 'op-1');
const setRegistrant: Call = (registry) => registry.setRegistrant(LIFE, REGISTRANT, 'op-1');
const remove: Call = (registry) => registry.delete(LIFE, 'op-1');
const restore: Call = (registry) => registry.restore(LIFE, eur(5_000), 'op-1');
const withdraw: Call = (registry) => registry.withdrawAuthCode(LIFE, 'op-1');
const issue: Call = (registry) => registry.issueAuthCode(LIFE, 'op-1');

const CASES: readonly [string, Call, readonly Answer[], typeof RegistryUnavailable][] = [
  ['no session is there for the only command', renew, [NO_SESSION], RegistryNotContacted],
  ['no session is there for a command that stands alone', issue, [NO_SESSION], RegistryNotContacted],
  ['a question went before, and no session is left', lock, ['212-info', NO_SESSION], RegistryNotContacted],
  ['a question before the command is not answered', lock, [LOST, LOST], RegistryNotContacted],
  ['a question is not answered, and no session is left', lock, [LOST, NO_SESSION], RegistryNotContacted],
  ['a question before the command cannot be decided', lock, [resultOf(2400), resultOf(2400)], RegistryInconclusive],
  ['the answer to the command is lost', renew, [LOST], RegistryUnavailable],
  ['the answer to a command that stands alone is lost', issue, [LOST], RegistryUnavailable],
  ['what was carried out cannot be looked at', renew, ['16-renew', NO_SESSION], RegistryUnavailable],
  ['what was carried out cannot be seen', remove, ['214-delete', LOST, LOST], RegistryUnavailable],
  ['a contact was made, and no session is left', register, [ok, NO_SESSION], RegistryUnavailable],
  [
    'a contact was made for a change, and no session is left',
    setRegistrant,
    ['212-info', ok, NO_SESSION],
    RegistryUnavailable,
  ],
  [
    'a restore was requested, and no session is left',
    restore,
    ['31-info-after-delete', '32-restore-request', NO_SESSION],
    RegistryUnavailable,
  ],
  [
    'the first of two ways was refused, and no session is left',
    withdraw,
    [resultOf(2306), NO_SESSION],
    RegistryUnavailable,
  ],
];

describe('a call that came to nothing tells whether it may have changed anything', () => {
  it.each(CASES)('where %s', async (_where, call, answers, kind) => {
    const { registry, left } = recordedRegistry(answers);

    const error: unknown = await call(registry).catch((reason: unknown) => reason);

    expect(left).toEqual([]);
    expect((error as Error).constructor).toBe(kind);
  });

  it('and when to come back', async () => {
    const { registry } = recordedRegistry([ok, NO_SESSION]);

    await expect(register(registry)).rejects.toMatchObject({
      details: 'The registry cannot be reached',
      retryAfterSeconds: 7,
    });
  });
});
