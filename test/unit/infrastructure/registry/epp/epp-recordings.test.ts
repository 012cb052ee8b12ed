import { parseXml } from '../../../../../src/infrastructure/registry/epp/codec/parse-xml';
import { ConnectionLost } from '../../../../../src/infrastructure/registry/epp/session/connection-errors';
import { responseOf } from '../../../../../src/infrastructure/registry/epp/mapping/response';
import {
  isInconclusive,
  rejectionOf,
  isSuccess,
} from '../../../../../src/infrastructure/registry/epp/mapping/result-codes';
import { DomainName } from '../../../../../src/domain/shared/domain-name';
import { Nameservers } from '../../../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../../../src/domain/registration/registration-term';
import type { RegistryAdapter } from '../../../../../src/infrastructure/registry/registry-adapter';
import { recordedExchanges } from '../../../../support/epp/epp-fixtures';
import { EppSchemas } from '../../../../support/epp/epp-schemas';
import { ALL_SERVICES, NO_FEES, recordedRegistry, type Answer } from '../../../../support/epp/recorded-registry';
import { resultOf } from '../../../../support/epp/scripted-epp-server';
import { REGISTRANT } from '../../../../../src/testing/registry-fixtures';

const LIFE = DomainName.fromState('life187315.test');
const HOSTS = Nameservers.of(['ns1.ex187315.net', 'ns2.ex187315.net']);
const EXPIRY = new Date('2028-11-20T15:08:36.244Z');
const LOST = new ConnectionLost('gone');
const ok = resultOf(1000);
const result = (code: number) => resultOf(code);
const eur = (minor: number) => ({ minor, currency: 'EUR' });
const years = (count: number) => RegistrationTerm.ofYears(count);
const hosts = (...names: string[]) => Nameservers.of(names);
const register = (registry: RegistryAdapter, name = LIFE, price = eur(1_000)) =>
  registry.register({ name, term: years(2), registrant: REGISTRANT, nameservers: HOSTS, price, transactionId: 'op-1' });
const named = (name: string) => DomainName.fromState(name);

interface Replay {
  readonly what: string;
  readonly answers: readonly Answer[];
  readonly call: (registry: RegistryAdapter) => Promise<unknown>;
  readonly sent: readonly string[];
  readonly result?: unknown;
  readonly error?: object;
  readonly fees?: boolean;
}

const facts = (part: object) => expect.objectContaining(part);
const rejected = (reason: string) => ({ code: 'REGISTRY_REJECTED', reason });
const UNKNOWN = { code: 'REGISTRY_UNAVAILABLE' };
const CREATE = ['contact:create op-1-2', 'domain:create op-1'];
/** Of the new contact, which nothing refers to after a rejection. */
const DISCARD = 'contact:delete op-1-3';

// One recorded exchange a line reads as a table.
// prettier-ignore
const REPLAYS: readonly Replay[] = [
  {
    what: 'returns availability with listed prices',
    answers: ['13-domain-check-taken'],
    call: async (registry) => registry.check([named('life186978.test'), named('some.example'), named('free186978.test')]),
    sent: ['domain:check'],
    result: [facts({ available: false }), facts({ available: false }), facts({ available: true, price: { registration: eur(500), renewal: eur(500), restore: eur(5_000) } })],
  },
  {
    what: 'checks each name alone if the check of all fails',
    answers: [result(2005), result(2005), '13-domain-check-taken', '13-domain-check-taken'],
    call: async (registry) => registry.check([named('xn--a.test'), named('free186978.test'), named('life186978.test')]),
    sent: ['domain:check', 'domain:check', 'domain:check', 'domain:check'],
    result: [facts({ available: false }), facts({ available: true }), facts({ available: false })],
  },
  { what: 'throws RegistryUnavailable if a check fails for another reason', answers: [result(2104)], call: async (registry) => registry.check([LIFE]), sent: ['domain:check'], error: UNKNOWN },
  { what: 'reads a domain that we sponsor', answers: ['212-info'], call: async (registry) => registry.info(LIFE), sent: ['domain:info'], result: facts({ sponsoredByUs: true, createdByUs: true, phase: 'registered', expiresAt: EXPIRY }) },
  { what: 'reads a domain of another registrar', answers: ['121-info-gaining'], call: async (registry) => registry.info(LIFE), sent: ['domain:info'], result: facts({ sponsoredByUs: false, createdByUs: true }) },
  { what: 'reads a domain that the registry hides as one of another registrar', answers: ['122-info-losing'], call: async (registry) => registry.info(LIFE), sent: ['domain:info'], result: facts({ name: LIFE, sponsoredByUs: false }) },
  { what: 'reads an unregistered name', answers: [result(2303)], call: async (registry) => registry.info(LIFE), sent: ['domain:info'], result: undefined },
  { what: 'reads a domain in redemption', answers: ['31-info-after-delete'], call: async (registry) => registry.info(LIFE), sent: ['domain:info'], result: facts({ phase: 'redemption' }) },
  { what: 'reads a domain in pending restore', answers: ['35-unknown-ext'], call: async (registry) => registry.info(LIFE), sent: ['domain:info'], result: facts({ phase: 'pending_restore' }) },
  { what: 'repeats a query once if its response is lost', answers: [LOST, '212-info'], call: async (registry) => registry.info(LIFE), sent: ['domain:info', 'domain:info'], result: facts({ sponsoredByUs: true }) },
  { what: 'throws RegistryUnavailable for an info response without a domain', answers: [ok], call: async (registry) => registry.info(LIFE), sent: ['domain:info'], error: UNKNOWN },
  {
    what: 'registers a domain with its contact, and locks it',
    answers: ['101-contact-create', '211-create', '20-update-lock'],
    call: register,
    sent: [...CREATE, 'domain:update op-1-3'],
    result: facts({ sponsoredByUs: true, createdByUs: true, phase: 'registered', transferLocked: true, expiresAt: EXPIRY, nameservers: ['ns1.ex187315.net', 'ns2.ex187315.net'] }),
  },
  {
    what: 'creates missing hosts and repeats the registration',
    answers: [ok, '19-update-ns', ok, hostCheck('ns1.ex187315.net'), '202-host-create', '211-create', '20-update-lock'],
    call: register,
    sent: [...CREATE, 'contact:create op-1-3', 'host:check', 'host:create op-1-4', 'domain:create op-1-5', 'domain:update op-1-6'],
    result: facts({ sponsoredByUs: true }),
  },
  { what: 'rejects the registration of a registered name', answers: [ok, '215-create-while-rgp', ok], call: register, sent: [...CREATE, DISCARD], error: rejected('unavailable') },
  { what: 'rejects the registration of a name that the registry does not allow', answers: [ok, '139-idn2', '13-domain-check-taken', ok], call: register, sent: [...CREATE, 'domain:check', DISCARD], error: rejected('unavailable') },
  { what: 'rejects a registration that violates the registry policy', answers: [ok, '134-hostattr', check('life187315.test', true), LOST], call: register, sent: [...CREATE, 'domain:check', DISCARD], error: rejected('policy') },
  { what: 'rejects a registration at another price than the listed one', answers: [], call: async (registry) => register(registry, LIFE, eur(999)), sent: [], error: rejected('price_changed') },
  {
    what: 'rejects a registration if the fee is higher than the agreed price',
    answers: [ok, '205-fee-low', check('life187315.test', true, { create: '10.00' }), '133-contact-delete-inuse'],
    call: async (registry) => register(registry, LIFE, eur(100)),
    fees: true,
    sent: [...CREATE, 'domain:check', DISCARD],
    error: rejected('price_changed'),
  },
  { what: 'registers at the agreed price', answers: [ok, '206-fee-ok', ok, '212-info'], call: register, fees: true, sent: [...CREATE, 'domain:update op-1-3', 'domain:info'], result: facts({ sponsoredByUs: true }) },
  { what: 'rejects a registration if its contact is rejected', answers: ['04-contact-create-badphone'], call: register, sent: CREATE.slice(0, 1), error: rejected('policy') },
  { what: 'leaves the outcome of a registration unknown if the response is lost', answers: [ok, LOST], call: register, sent: CREATE, error: UNKNOWN },
  { what: 'leaves the outcome of a registration unknown after 2400', answers: [ok, result(2400)], call: register, sent: CREATE, error: UNKNOWN },
  { what: 'rejects a registration for lack of credit', answers: [ok, result(2104), ok], call: register, sent: [...CREATE, DISCARD], error: rejected('credit') },
  { what: 'returns a pending create', answers: [ok, result(1001), pendingInfo()], call: register, sent: [...CREATE, 'domain:info'], result: facts({ phase: 'pending_create' }) },
  { what: 'reads a new domain whose lock is rejected', answers: [ok, '211-create', result(2304), '212-info'], call: register, sent: [...CREATE, 'domain:update op-1-3', 'domain:info'], result: facts({ transferLocked: false }) },
  { what: 'leaves the outcome unknown if the registry does not show a domain whose create has no dates', answers: [ok, ok, ok, result(2303)], call: register, sent: [...CREATE, 'domain:update op-1-3', 'domain:info'], error: UNKNOWN },
  { what: 'leaves the outcome unknown if the registry does not show a renewed domain', answers: ['16-renew', result(2201)], call: async (registry) => registry.renew(LIFE, EXPIRY, years(1), 'op-1'), sent: ['domain:renew op-1', 'domain:info'], error: UNKNOWN },
  { what: 'renews a domain', answers: ['16-renew', '29-hello-ext'], call: async (registry) => registry.renew(LIFE, EXPIRY, years(1), 'op-1'), sent: ['domain:renew op-1', 'domain:info'], result: facts({ expiresAt: new Date('2029-11-20T15:02:59.222Z') }) },
  { what: 'returns a pending renewal', answers: [result(1001), pendingInfo('pendingRenew')], call: async (registry) => registry.renew(LIFE, EXPIRY, years(1), 'op-1'), sent: ['domain:renew op-1', 'domain:info'], result: facts({ phase: 'registered', renewalPending: true }) },
  { what: 'rejects the repetition of a renewal as expiry_differs', answers: ['17-renew-replay', '29-hello-ext'], call: async (registry) => registry.renew(LIFE, EXPIRY, years(1), 'op-1'), sent: ['domain:renew op-1', 'domain:info'], error: rejected('expiry_differs') },
  { what: 'rejects a renewal that violates the registry policy', answers: ['17-renew-replay', '212-info'], call: async (registry) => registry.renew(LIFE, EXPIRY, years(9), 'op-1'), sent: ['domain:renew op-1', 'domain:info'], error: rejected('policy') },
  { what: 'rejects a renewal in redemption', answers: ['217-renew-while-rgp'], call: async (registry) => registry.renew(LIFE, EXPIRY, years(1), 'op-1'), sent: ['domain:renew op-1'], error: rejected('status') },
  { what: 'rejects a renewal at another price', answers: [], call: async (registry) => registry.renew(LIFE, EXPIRY, years(2), 'op-1', eur(500)), sent: [], error: rejected('price_changed') },
  {
    what: 'sends no update if the delegation is unchanged',
    answers: ['212-info', '212-info'],
    call: async (registry) => registry.setNameservers(LIFE, HOSTS, [], 'op-1'),
    sent: ['domain:info', 'domain:info'],
    result: facts({ nameservers: HOSTS.hosts }),
  },
  {
    what: 'creates a missing host before it delegates to it',
    answers: ['212-info', hostCheck('ns3.none186978.org'), '202-host-create', ok, '212-info'],
    call: async (registry) => registry.setNameservers(LIFE, hosts('ns1.ex187315.net', 'ns3.none186978.org'), [], 'op-1'),
    sent: ['domain:info', 'host:check', 'host:create op-1-2', 'domain:update op-1', 'domain:info'],
    result: facts({ sponsoredByUs: true }),
  },
  {
    what: 'adds all nameservers after a rejected update that removed the former ones',
    answers: ['212-info', hostCheck(), '19-update-ns', '223-info-nons', hostCheck('ns3.none186978.org'), '202-host-create', ok, '212-info'],
    call: async (registry) => registry.setNameservers(LIFE, hosts('ns3.none186978.org', 'ns4.none186978.org'), [], 'op-1'),
    sent: ['domain:info', 'host:check', 'domain:update op-1', 'domain:info', 'host:check', 'host:create op-1-2', 'domain:update op-1-3', 'domain:info'], result: facts({ sponsoredByUs: true }),
  },
  {
    what: 'rejects a delegation as policy if a host does not exist at the second attempt',
    answers: ['212-info', hostCheck(), '19-update-ns', '212-info', hostCheck(), '19-update-ns'],
    call: async (registry) => registry.setNameservers(LIFE, hosts('ns3.none186978.org', 'ns4.none186978.org'), [], 'op-1'),
    sent: ['domain:info', 'host:check', 'domain:update op-1', 'domain:info', 'host:check', 'domain:update op-1-2'], error: rejected('policy'),
  },
  {
    what: 'creates a subordinate host with its addresses before it delegates to it',
    answers: ['212-info', '209-host-sub-v4pub', ok, '212-info'],
    call: async (registry) => registry.setNameservers(LIFE, hosts('ns1.ex187315.net', 'ns2.life187315.test'), [{ host: 'ns2.life187315.test', addresses: ['192.0.2.1'] }], 'op-1'),
    sent: ['domain:info', 'host:create op-1-2', 'domain:update op-1', 'domain:info'],
    result: facts({ sponsoredByUs: true }),
  },
  {
    what: 'updates the addresses of an existing subordinate host',
    answers: ['212-info', result(2302), hostInfo('192.0.2.1', '2001:DB8:0:0::1'), ok, ok, '212-info'],
    call: async (registry) => registry.setNameservers(LIFE, hosts('ns1.ex187315.net', 'ns2.life187315.test'), [{ host: 'ns2.life187315.test', addresses: ['192.0.2.2', '2001:db8::1'] }], 'op-1'),
    sent: ['domain:info', 'host:create op-1-2', 'host:info', 'host:update op-1-3', 'domain:update op-1', 'domain:info'],
    result: facts({ sponsoredByUs: true }),
  },
  {
    what: 'rejects a delegation to a subordinate host without addresses',
    answers: ['212-info'],
    call: async (registry) => registry.setNameservers(LIFE, hosts('ns1.ex187315.net', 'ns2.life187315.test'), [], 'op-1'),
    sent: ['domain:info'],
    error: rejected('policy'),
  },
  {
    what: 'rejects a delegation to a host that the registry rejects',
    answers: ['212-info', hostCheck('ns1.slife187069.test'), '128-host-sub-noglue'],
    call: async (registry) => registry.setNameservers(LIFE, hosts('ns1.ex187315.net', 'ns1.slife187069.test'), [], 'op-1'),
    sent: ['domain:info', 'host:check', 'host:create op-1-2'],
    error: rejected('policy'),
  },
  {
    what: 'rejects a delegation that a status prohibits',
    answers: ['212-info', hostCheck(), '221-ns-swap', '212-info'],
    call: async (registry) => registry.setNameservers(LIFE, hosts('ns1.ex187315.net', 'ns9.zz187069.net'), [], 'op-1'),
    sent: ['domain:info', 'host:check', 'domain:update op-1', 'domain:info'],
    error: rejected('policy'),
  },
  { what: 'rejects changes of a domain of another registrar', answers: ['122-info-losing'], call: async (registry) => registry.setNameservers(LIFE, HOSTS, [], 'op-1'), sent: ['domain:info'], error: rejected('not_held') },
  {
    what: 'replaces registrant and contacts with a new contact',
    answers: ['212-info', '229-contact-utf8-loc', ok],
    call: async (registry) => registry.setRegistrant(LIFE, REGISTRANT, 'op-1'),
    sent: ['domain:info', 'contact:create op-1-2', 'domain:update op-1'],
    result: undefined,
  },
  { what: 'sets the transfer lock', answers: ['212-info', '20-update-lock', '212-info'], call: async (registry) => registry.setTransferLock(LIFE, true, 'op-1'), sent: ['domain:info', 'domain:update op-1', 'domain:info'], result: facts({ sponsoredByUs: true }) },
  { what: 'sends no update if the transfer lock is unchanged', answers: ['212-info', '212-info'], call: async (registry) => registry.setTransferLock(LIFE, false, 'op-1'), sent: ['domain:info', 'domain:info'], result: facts({ transferLocked: false }) },
  { what: 'rejects a transfer lock that a status prohibits', answers: ['212-info', '226-update-prohibited', '212-info'], call: async (registry) => registry.setTransferLock(LIFE, true, 'op-1'), sent: ['domain:info', 'domain:update op-1', 'domain:info'], error: rejected('status') },
  {
    what: 'issues an auth code with an expiry',
    answers: ['22-update-authinfo'],
    call: async (registry) => registry.issueAuthCode(LIFE, 'op-1'),
    sent: ['domain:update op-1'],
    result: { code: expect.stringMatching(/^[A-Za-z2-9][A-Za-z2-9-]{23}[A-Za-z2-9]$/), expiresAt: new Date('2026-12-04T15:10:00Z') },
  },
  { what: 'withdraws an auth code', answers: ['224-authinfo-null'], call: async (registry) => registry.withdrawAuthCode(LIFE, 'op-1'), sent: ['domain:update op-1'], result: undefined },
  { what: 'replaces a withdrawn auth code with a random one if the registry requires one', answers: [result(2306), ok], call: async (registry) => registry.withdrawAuthCode(LIFE, 'op-1'), sent: ['domain:update op-1', 'domain:update op-1-2'], result: undefined },
  { what: 'deletes a domain into redemption', answers: ['214-delete', '31-info-after-delete'], call: async (registry) => registry.delete(LIFE, 'op-1'), sent: ['domain:delete op-1', 'domain:info'], result: facts({ phase: 'redemption' }) },
  { what: 'deletes a domain at once in the add grace period', answers: ['125-delete-agp', result(2303)], call: async (registry) => registry.delete(LIFE, 'op-1'), sent: ['domain:delete op-1', 'domain:info'], result: undefined },
  { what: 'rejects the repetition of a deletion', answers: [result(2304)], call: async (registry) => registry.delete(LIFE, 'op-1'), sent: ['domain:delete op-1'], error: rejected('status') },
  {
    what: 'deletes subordinate hosts before the domain',
    answers: [result(2305), subordinateInfo(), ok, ok, '214-delete', result(2303)],
    call: async (registry) => registry.delete(LIFE, 'op-1'),
    sent: ['domain:delete op-1', 'domain:info', 'domain:update op-1-2', 'host:delete op-1-3', 'domain:delete op-1-4', 'domain:info'],
    result: undefined,
  },
  {
    what: 'rejects the deletion of a domain whose hosts other domains use, and keeps its delegation',
    answers: [result(2305), subordinateInfo(), ok, result(2305), ok],
    call: async (registry) => registry.delete(LIFE, 'op-1'),
    sent: ['domain:delete op-1', 'domain:info', 'domain:update op-1-2', 'host:delete op-1-3', 'domain:update op-1-4'],
    error: rejected('policy'),
  },
  {
    what: 'restores with a request and a report if the registry requires one',
    answers: ['31-info-after-delete', '32-restore-request', '35-unknown-ext', ok, '220-info-restored'],
    call: async (registry) => registry.restore(LIFE, eur(5_000), 'op-1'),
    sent: ['domain:info', 'domain:restore op-1', 'domain:info', 'domain:restore op-1-2', 'domain:info'],
    result: facts({ phase: 'registered' }),
  },
  {
    what: 'restores with a request alone if the registry requires no report',
    answers: ['31-info-after-delete', '218-restore-request', '220-info-restored', '220-info-restored'],
    call: async (registry) => registry.restore(LIFE, eur(5_500), 'op-1'),
    sent: ['domain:info', 'domain:restore op-1', 'domain:info', 'domain:info'],
    result: facts({ phase: 'registered' }),
  },
  {
    what: 'sends the report of an interrupted restore',
    answers: ['35-unknown-ext', '35-unknown-ext', ok, '220-info-restored'],
    call: async (registry) => registry.restore(LIFE, eur(5_000), 'op-1'),
    sent: ['domain:info', 'domain:info', 'domain:restore op-1-2', 'domain:info'],
    result: facts({ phase: 'registered' }),
  },
  {
    what: 'sends the report of a restore whose request was refused because an earlier one arrived late',
    answers: ['31-info-after-delete', result(2304), '35-unknown-ext', '35-unknown-ext', ok, '220-info-restored'],
    call: async (registry) => registry.restore(LIFE, eur(5_000), 'op-1'),
    sent: ['domain:info', 'domain:restore op-1', 'domain:info', 'domain:info', 'domain:restore op-1-2', 'domain:info'],
    result: facts({ phase: 'registered' }),
  },
  {
    what: 'leaves the outcome of a restore unknown if its report is rejected',
    answers: ['31-info-after-delete', '32-restore-request', '35-unknown-ext', result(2004)],
    call: async (registry) => registry.restore(LIFE, eur(5_000), 'op-1'),
    sent: ['domain:info', 'domain:restore op-1', 'domain:info', 'domain:restore op-1-2'],
    error: UNKNOWN,
  },
  { what: 'reads a name with invalid syntax as unregistered', answers: [result(2005)], call: async (registry) => registry.info(LIFE), sent: ['domain:info'], result: undefined },
  { what: 'rejects a restore of a domain that is not in redemption', answers: ['212-info'], call: async (registry) => registry.restore(LIFE, eur(5_000), 'op-1'), sent: ['domain:info'], error: rejected('status') },
  { what: 'rejects a restore at another price', answers: ['31-info-after-delete'], call: async (registry) => registry.restore(LIFE, eur(1), 'op-1'), sent: ['domain:info'], error: rejected('price_changed') },
  { what: 'polls an empty queue', answers: ['28-poll'], call: async (registry) => registry.poll(), sent: ['poll:req'], result: undefined },
  {
    what: 'polls a requested transfer',
    answers: ['115-poll'],
    call: async (registry) => registry.poll(),
    sent: ['poll:req'],
    result: { id: '1', at: new Date('2026-11-20T15:04:30.157Z'), kind: 'changed', name: facts({ value: 'life187069.test' }), text: 'Transfer requested.' },
  },
  { what: 'polls a completed transfer', answers: [transferred('serverApproved')], call: async (registry) => registry.poll(), sent: ['poll:req'], result: facts({ kind: 'transferred_out' }) },
  { what: 'polls an approved pending create', answers: [completion(true), '212-info'], call: async (registry) => registry.poll(), sent: ['poll:req', 'domain:info'], result: facts({ kind: 'registered' }) },
  { what: 'polls a rejected pending create', answers: [completion(false), result(2303)], call: async (registry) => registry.poll(), sent: ['poll:req', 'domain:info'], result: facts({ kind: 'registration_refused' }) },
  { what: 'polls a completed pending delete', answers: [completion(true), result(2303)], call: async (registry) => registry.poll(), sent: ['poll:req', 'domain:info'], result: facts({ kind: 'deleted' }) },
  { what: 'polls a low-balance message', answers: [message('<msg>Low balance</msg>')], call: async (registry) => registry.poll(), sent: ['poll:req'], result: { id: '9', at: new Date('2026-01-01T00:00:00Z'), kind: 'low_balance', text: 'Low balance' } },
  { what: 'polls a message as changed if the domain cannot be read', answers: [completion(true), result(2400), result(2400)], call: async (registry) => registry.poll(), sent: ['poll:req', 'domain:info', 'domain:info'], result: facts({ kind: 'changed', name: facts({ value: 'life187315.test' }) }) },
  { what: 'polls a message with an invalid date', answers: [message('<msg>Low balance</msg>').replace('2026-01-01T00:00:00Z', 'yesterday')], call: async (registry) => registry.poll(), sent: ['poll:req'], result: facts({ id: '9', kind: 'low_balance', text: 'Low balance' }) },
  { what: 'accepts the acknowledgement of a message that no longer exists', answers: ['118-poll-ack-again'], call: async (registry) => registry.acknowledge('1'), sent: ['poll:ack'], result: undefined },
  { what: 'reads a name under another TLD as unregistered without sending a command', answers: [], call: async (registry) => registry.info(named('a.example')), sent: [], result: undefined },
];

const schemas = new EppSchemas();
afterAll(() => schemas.close());

describe('the EPP adapter with recorded responses of another registry', () => {
  it.each(REPLAYS)('$what', async ({ answers, call, sent, result: expected, error, fees = false }) => {
    const recorded = recordedRegistry(answers, fees ? ALL_SERVICES : NO_FEES);

    const outcome = call(recorded.registry);

    if (error) await expect(outcome).rejects.toMatchObject(error);
    else expect(await outcome).toEqual(expected);
    expect(recorded.sent).toEqual(sent);
    expect(recorded.left).toEqual([]);
    for (const document of recorded.documents)
      expect({ document, faults: await schemas.faultsOf(document) }).toEqual({ document, faults: [] });
  });
});

describe('recorded responses', () => {
  const REASONS: Readonly<Record<string, string>> = {
    '04-contact-create-badphone': 'policy',
    '11-domain-info-other': 'not_held',
    '17-renew-replay': 'policy',
    '19-update-ns': 'not_held',
    '23-transfer-locked': 'not_held',
    '25-transfer-badpw': 'not_held',
    '26-transfer-60d': 'not_held',
    '34-ulabel': 'policy',
    '107-transfer-badpw': 'auth_code',
    '109-transfer-locked': 'status',
    '112-transfer-again': 'status',
    '118-poll-ack-again': 'not_held',
    '122-info-losing': 'not_held',
    '128-host-sub-noglue': 'policy',
    '134-hostattr': 'policy',
    '136-weakpw': 'not_held',
    '137-fee-create-low': 'not_held',
    '139-idn2': 'policy',
    '205-fee-low': 'policy',
    '215-create-while-rgp': 'unavailable',
    '217-renew-while-rgp': 'status',
    '221-ns-swap': 'policy',
    '226-update-prohibited': 'status',
  };

  it.each(recordedExchanges().map(({ title, response }) => ({ title, response })))(
    '$title is a success or the rejection that it should be',
    ({ title, response }) => {
      const answer = responseOf(parseXml(response));

      expect(answer.svTRID).toMatch(/^namingo-/);
      expect(isInconclusive(answer.code)).toBe(false);
      expect(isSuccess(answer) ? undefined : rejectionOf(answer).reason).toBe(REASONS[title]);
    },
  );
});

function hostCheck(missing?: string): string {
  return resultOf(
    1000,
    undefined,
    `<resData><chkData xmlns="urn:ietf:params:xml:ns:host-1.0">${missing ? `<cd><name avail="1">${missing}</name></cd>` : ''}<cd><name avail="0">ns2.ex187315.net</name></cd></chkData></resData>`,
  );
}

function hostInfo(...addresses: string[]): string {
  return resultOf(
    1000,
    undefined,
    `<resData><infData xmlns="urn:ietf:params:xml:ns:host-1.0"><name>ns2.life187315.test</name>${addresses.map((address) => `<addr>${address}</addr>`).join('')}</infData></resData>`,
  );
}

function check(name: string, available: boolean, fees: { create?: string } = {}): string {
  const domain = `<resData><chkData xmlns="urn:ietf:params:xml:ns:domain-1.0"><cd><name avail="${available}">${name}</name></cd></chkData></resData>`;
  const create = fees.create === undefined ? '' : `<command name="create"><fee>${fees.create}</fee></command>`;
  return resultOf(
    1000,
    undefined,
    `${domain}<extension><chkData xmlns="urn:ietf:params:xml:ns:epp:fee-1.0"><currency>EUR</currency><cd><objID>${name}</objID>${create}</cd></chkData></extension>`,
  );
}

function pendingInfo(status = 'pendingCreate'): string {
  return resultOf(
    1000,
    undefined,
    `<resData><infData xmlns="urn:ietf:params:xml:ns:domain-1.0"><name>life187315.test</name><roid>1</roid><status s="${status}"/><clID>leonet</clID><crID>leonet</crID><crDate>2026-01-01T00:00:00Z</crDate>${status === 'pendingCreate' ? '' : '<exDate>2028-11-20T15:08:36.244Z</exDate>'}</infData></resData>`,
  );
}

function subordinateInfo(): string {
  const inner =
    '<name>life187315.test</name><roid>1</roid><ns><hostObj>ns1.life187315.test</hostObj><hostObj>ns1.ex187315.net</hostObj></ns><host>ns1.life187315.test</host><clID>leonet</clID>';
  return resultOf(
    1000,
    undefined,
    `<resData><infData xmlns="urn:ietf:params:xml:ns:domain-1.0">${inner}</infData></resData>`,
  );
}

function message(inner: string, resData = ''): string {
  return resultOf(
    1301,
    undefined,
    `<msgQ count="1" id="9"><qDate>2026-01-01T00:00:00Z</qDate>${inner}</msgQ>${resData}`,
  );
}

function transferred(status: string): string {
  return message(
    '<msg>Transferred</msg>',
    `<resData><trnData xmlns="urn:ietf:params:xml:ns:domain-1.0"><name>life187315.test</name><trStatus>${status}</trStatus><reID>nordregistrar</reID><acID>leonet</acID></trnData></resData>`,
  );
}

function completion(granted: boolean): string {
  return message(
    '<msg>Done</msg>',
    `<resData><panData xmlns="urn:ietf:params:xml:ns:domain-1.0"><name paResult="${granted}">life187315.test</name></panData></resData>`,
  );
}
