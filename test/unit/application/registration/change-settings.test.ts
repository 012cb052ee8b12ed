import type { OperationOutcome } from '../../../../src/application/operations/operation-outcome';
import type { DomainState } from '../../../../src/domain/registration/domain';
import type { DomainStatus } from '../../../../src/domain/registration/domain-status';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import {
  closeScenarios,
  openScenario,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import type { RegistryCommand } from '../../../support/fakes/registry-script';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const HOSTS = ['ns1.new.net', 'ns2.new.net'];
const GRACE = { ...A_REGISTRANT, firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.org' };

type Rest = Partial<{ accountId: string; domainId: string }>;

interface Setting {
  readonly title: string;
  readonly command: RegistryCommand;
  readonly change: (scenario: RegistrationScenario, rest?: Rest) => Promise<OperationOutcome>;
  readonly expected: Partial<DomainState>;
  readonly told: object;
}

const COMMAND = { ...OURS, domainId: 'dom_1' };
const SETTINGS: readonly Setting[] = [
  {
    title: 'the nameservers',
    command: 'setNameservers',
    change: (scenario, rest) => scenario.changeNameservers.execute({ ...COMMAND, ...rest, hosts: HOSTS }),
    expected: { nameservers: HOSTS },
    told: {
      action: 'domain.nameservers_changed',
      before: { nameservers: ['ns1.example.net', 'ns2.example.net'] },
      after: { nameservers: HOSTS },
    },
  },
  {
    title: 'the registrant',
    command: 'setRegistrant',
    change: (scenario, rest) => scenario.changeRegistrant.execute({ ...COMMAND, ...rest, registrant: GRACE }),
    expected: { registrant: GRACE },
    told: { action: 'domain.registrant_changed', before: { registrant: A_REGISTRANT }, after: { registrant: GRACE } },
  },
  {
    title: 'the transfer lock',
    command: 'setTransferLock',
    change: (scenario, rest) => scenario.changeTransferLock.execute({ ...COMMAND, ...rest, locked: false }),
    expected: { transferLocked: false },
    told: {
      action: 'domain.transfer_lock_changed',
      before: { transferLocked: true },
      after: { transferLocked: false },
    },
  },
];

let around: UseCaseContext;
let scenario: RegistrationScenario;
const stored = (id = 'dom_1') => around.storage.tables.domains.get(id);
const delegate = (hosts: readonly string[], domainId = 'dom_1') =>
  scenario.changeNameservers.execute({ ...COMMAND, domainId, hosts });

beforeEach(async () => {
  ({ around, scenario } = openScenario());
  await around.givenDomain();
});

afterEach(() => closeScenarios(around, scenario));

describe.each(SETTINGS)('changing $title', ({ command, change, expected, told }) => {
  it('changes it and the time of the change, and nothing else', async () => {
    const before = stored();

    const { domain } = await change(scenario);

    expect(stored()).toEqual({ ...before, ...expected, updatedAt: around.lifecycleClock.now() });
    expect(domain.toState()).toEqual(stored());
  });

  it('calls the registry once if the database repeats every unit of work', async () => {
    around.storage.repeatEveryUnit();

    await change(scenario);

    expect(around.registry.callsOf(command)).toMatchObject([{ name: 'example.com' }]);
    expect(around.auditEntries).toHaveLength(1);
  });

  it('records the setting before and after, and the actor', async () => {
    await change(scenario);

    expect(around.auditEntries).toMatchObject([{ ...OURS, at: around.clock.now(), ...told }]);
  });

  it('changes nothing before the registry accepts', async () => {
    const before = stored();
    const late = around.registry.next(command).respondsLate();

    const changing = change(scenario);
    const meanwhile = stored();
    late.release();
    await changing;

    expect(meanwhile).toEqual(before);
    expect(stored()).toMatchObject(expected);
  });

  it('changes nothing if the registry rejects the command', async () => {
    const before = stored();
    around.registry.next(command).isRefused('policy', 'not today');

    await expect(change(scenario)).rejects.toMatchObject({ code: 'REGISTRY_REJECTED', details: 'not today' });

    expect(stored()).toEqual(before);
    expect(around.auditEntries).toEqual([]);
  });

  it.each<DomainStatus>(['active', 'expired'])('is possible while the domain is %s', async (status) => {
    await around.givenDomain({ id: 'dom_2', name: 'other.com', status });

    await change(scenario, { domainId: 'dom_2' });

    expect(stored('dom_2')).toMatchObject({ ...expected, status });
  });

  it.each<[string, string, Rest]>([
    ['a domain that is not there', 'DOMAIN_NOT_FOUND', { domainId: 'dom_unknown' }],
    ["another account's domain", 'DOMAIN_NOT_FOUND', { accountId: STRANGER.accountId }],
    ['a domain in redemption', 'DOMAIN_STATUS_CONFLICT', { domainId: 'dom_dying' }],
    ['a domain that was transferred out', 'DOMAIN_STATUS_CONFLICT', { domainId: 'dom_left' }],
  ])('is refused for %s, and the registry is not asked', async (_which, code, rest) => {
    await around.givenDomain({ id: 'dom_dying', name: 'dying.com', status: 'redemption' });
    await around.givenDomain({ id: 'dom_left', name: 'left.com', status: 'transferred_out' });
    const before = around.storage.tables;

    await expect(change(scenario, rest)).rejects.toMatchObject({ code });

    expect(around.storage.tables).toEqual(before);
    expect(around.registry.calls).toEqual([]);
  });
});

describe('a new delegation', () => {
  it('raises the version of a zone that has its own NS records', async () => {
    await delegate(HOSTS);

    expect(around.storage.tables.zones.get('dom_1')?.version).toBe(2);
  });

  it('is stored in lower case and without a trailing dot', async () => {
    await delegate(['NS1.NEW.NET.', 'ns2.new.net']);

    expect(stored()?.nameservers).toEqual(HOSTS);
  });

  it.each([
    ['too few', 'dom_1', ['ns1.new.net'], 'At least 2'],
    ['too many', 'dom_1', Array.from({ length: 14 }, (_, index) => `ns${index}.new.net`), 'At most 13'],
    ['too few for its TLD', 'dom_is', HOSTS, 'At least 3 nameservers are required for .is'],
    ['one of them twice', 'dom_1', ['ns1.new.net', 'NS1.new.net.'], 'nameservers[1] repeats ns1.new.net'],
    ['an address', 'dom_1', ['ns1.new.net', '192.0.2.1'], 'nameservers[1] must be a host name'],
  ])('is refused if it is %s, and says which and why', async (_which, domainId, hosts, details) => {
    await around.givenDomain({
      id: 'dom_is',
      name: 'example.is',
      nameservers: ['a.example.net', 'b.example.net', 'c.example.net'],
    });

    await expect(delegate(hosts, domainId)).rejects.toMatchObject({
      code: 'INVALID_NAMESERVERS',
      details: expect.stringContaining(details) as string,
    });

    expect(around.storage.tables.operations.size).toBe(0);
  });
});

describe('a new registrant', () => {
  it('is rejected with every missing field', async () => {
    const registrant = { ...GRACE, email: 'invalid', phone: '0123', lastName: '' };

    await expect(scenario.changeRegistrant.execute({ ...COMMAND, registrant })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'registrant.last_name' }, { path: 'registrant.email' }, { path: 'registrant.phone' }],
    });

    expect(around.storage.tables.operations.size).toBe(0);
  });
});

describe('issuing an auth code', () => {
  const issue = (rest: Rest = {}) => scenario.issueAuthCode.execute({ ...COMMAND, ...rest });

  it('returns the code and its expiry, and stores the expiry, so that the code can be withdrawn', async () => {
    const before = stored();

    const { authCode } = await issue();

    expect(authCode).toEqual({
      code: expect.stringMatching(/./) as string,
      expiresAt: new Date('2026-03-15T00:00:00.000Z'),
    });
    const until = new Date('2026-03-15T00:00:00.000Z');
    expect({ ...stored(), updatedAt: null }).toEqual({
      ...before,
      updatedAt: null,
      authCodeUntil: until,
      dueAt: until,
    });
  });

  it('does not store the code after it was returned', async () => {
    const { authCode, operation } = await issue();

    const everything = JSON.stringify([
      ...around.storage.tables.operations.values(),
      ...around.auditEntries,
      ...around.log.entries,
    ]);
    expect(everything).not.toContain(authCode?.code);
    expect(around.storage.tables.operations.get(operation.id)?.handover).toBeNull();
  });

  it('records that a code was issued, without the code', async () => {
    await issue();

    expect(around.auditEntries).toMatchObject([{ ...OURS, action: 'domain.auth_code_issued', before: {}, after: {} }]);
  });

  it('makes any earlier one void', async () => {
    const [first, second] = [await issue(), await issue()];

    expect(first.authCode?.code).not.toBe(second.authCode?.code);
    expect(around.registry.callsOf('issueAuthCode')).toHaveLength(2);
  });

  it.each<[string, string, Rest]>([
    ["another account's domain", 'DOMAIN_NOT_FOUND', { accountId: STRANGER.accountId }],
    ['a domain in redemption', 'DOMAIN_STATUS_CONFLICT', { domainId: 'dom_dying' }],
  ])('is refused for %s', async (_which, code, rest) => {
    await around.givenDomain({ id: 'dom_dying', name: 'dying.com', status: 'redemption' });

    await expect(issue(rest)).rejects.toMatchObject({ code });

    expect(around.registry.calls).toEqual([]);
  });
});

it('operations that wait for a registration that fails fail, too', async () => {
  around.registry.next('register').isRefused('policy', 'not this name');
  const { domain } = await scenario.registerDomain.execute({ ...OURS, name: 'new.com', registrant: A_REGISTRANT });

  await expect(
    scenario.changeNameservers.execute({ ...COMMAND, domainId: domain.id, hosts: HOSTS }),
  ).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });

  expect(around.registry.callsOf('setNameservers')).toEqual([]);
});
