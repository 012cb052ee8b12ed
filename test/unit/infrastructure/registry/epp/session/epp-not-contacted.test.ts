import {
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../../../../src/application/ports/registry/registry-errors';
import type { RegistryPort } from '../../../../../../src/application/ports/registry/registry-port';
import { DomainName } from '../../../../../../src/domain/shared/domain-name';
import { Nameservers } from '../../../../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../../../../src/domain/registration/registration-term';
import { ConnectionLost } from '../../../../../../src/infrastructure/registry/epp/session/connection-errors';
import { REGISTRANT } from '../../../../../../src/testing/registry-fixtures';
import { recordedRegistry, type Answer } from '../../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../../support/epp/scripted-epp-server';

const NAME = DomainName.fromState('life187315.test');
const EXPIRY = new Date('2028-11-20T15:08:36.244Z');
const NO_SESSION = new RegistryNotContacted('The registry cannot be reached', 7);
const LOST = new ConnectionLost('gone');
const ok = resultOf(1000);
const eur = (minor: number) => ({ minor, currency: 'EUR' });

type Call = (registry: RegistryPort) => Promise<unknown>;
const register: Call = (registry) =>
  registry.register({
    name: NAME,
    term: RegistrationTerm.ofYears(2),
    registrant: REGISTRANT,
    nameservers: Nameservers.of(['ns1.ex187315.net', 'ns2.ex187315.net']),
    price: eur(1_000),
    transactionId: 'op-1',
  });
const renew: Call = (registry) => registry.renew(NAME, EXPIRY, RegistrationTerm.ofYears(1), 'op-1');
const lock: Call = (registry) => registry.setTransferLock(NAME, true, 'op-1');
const setRegistrant: Call = (registry) => registry.setRegistrant(NAME, REGISTRANT, 'op-1');
const remove: Call = (registry) => registry.delete(NAME, 'op-1');
const restore: Call = (registry) => registry.restore(NAME, eur(5_000), 'op-1');
const withdraw: Call = (registry) => registry.withdrawAuthCode(NAME, 'op-1');
const issue: Call = (registry) => registry.issueAuthCode(NAME, 'op-1');

const CASES: readonly [string, Call, readonly Answer[], typeof RegistryUnavailable][] = [
  ['no session is available for a command', renew, [NO_SESSION], RegistryNotContacted],
  ['no session is available for a command without a query', issue, [NO_SESSION], RegistryNotContacted],
  ['no session is available after a query', lock, ['212-info', NO_SESSION], RegistryNotContacted],
  ['the responses to a query are lost', lock, [LOST, LOST], RegistryNotContacted],
  ['the response to a query is lost and no session is available', lock, [LOST, NO_SESSION], RegistryNotContacted],
  ['a query before the command is inconclusive', lock, [resultOf(2400), resultOf(2400)], RegistryInconclusive],
  ['the response to the command is lost', renew, [LOST], RegistryUnavailable],
  ['the response to a command without a query is lost', issue, [LOST], RegistryUnavailable],
  ['no session is available to read the result back', renew, ['16-renew', NO_SESSION], RegistryUnavailable],
  ['the responses that read the result back are lost', remove, ['214-delete', LOST, LOST], RegistryUnavailable],
  ['no session is available after a contact was created', register, [ok, NO_SESSION], RegistryUnavailable],
  [
    'no session is available after a contact was created for an update',
    setRegistrant,
    ['212-info', ok, NO_SESSION],
    RegistryUnavailable,
  ],
  [
    'no session is available after a restore was requested',
    restore,
    ['31-info-after-delete', '32-restore-request', NO_SESSION],
    RegistryUnavailable,
  ],
  [
    'no session is available after the first of two updates was rejected',
    withdraw,
    [resultOf(2306), NO_SESSION],
    RegistryUnavailable,
  ],
];

describe('a failed call to the EPP adapter', () => {
  it.each(CASES)(
    'throws the error that states whether a command was sent if %s',
    async (_title, call, answers, kind) => {
      const { registry, left } = recordedRegistry(answers);

      const error: unknown = await call(registry).catch((reason: unknown) => reason);

      expect(left).toEqual([]);
      expect((error as Error).constructor).toBe(kind);
    },
  );

  it('states when to retry', async () => {
    const { registry } = recordedRegistry([ok, NO_SESSION]);

    await expect(register(registry)).rejects.toMatchObject({
      details: 'The registry cannot be reached',
      retryAfterSeconds: 7,
    });
  });
});
