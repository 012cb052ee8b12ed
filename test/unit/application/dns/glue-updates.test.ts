import { GlueUpdates } from '../../../../src/application/publishing/glue-updates';
import { DnsRecord } from '../../../../src/domain/dns/records/dns-record';
import { TldPolicies } from '../../../../src/domain/registration/names/tld-policy';
import { aRecord, CREATED } from '../../../support/data/a-record';
import { SOME_TLDS } from '../../../support/data/some-tlds';
import { dnsUseCases, type DnsUseCases } from '../../../support/use-cases/dns-use-cases';
import { OperationsScenario } from '../../../support/use-cases/operations-scenario';
import { pass } from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const HOST = 'ns1.example.com';
const COMMAND = { ...OURS, domainId: 'dom_1' };

describe('the addresses of a nameserver that a registry publishes', () => {
  let scene: OperationsScenario;
  let around: UseCaseContext;
  let dns: DnsUseCases;

  /** dom_1 is example.com, with an address of the host that `users` have as a nameserver. */
  async function given(...users: readonly string[]): Promise<void> {
    await around.givenRecords('dom_1', [aRecord({ name: 'ns1', content: '192.0.2.1' }, 'rec_1')]);
    for (const domainId of users) {
      const delegating = scene.delegate([HOST, 'ns2.other.net'], { domainId });
      await pass(around, 500);
      await delegating;
    }
  }

  const change = (content: string) => dns.changeRecord.execute({ ...COMMAND, recordId: 'rec_1', patch: { content } });
  const updates = () => scene.operations().filter(({ request }) => request.kind === 'update_glue');
  const published = () => around.registry.glue.get(HOST);

  beforeEach(async () => {
    scene = await OperationsScenario.open();
    ({ around } = scene);
    dns = dnsUseCases(around);
  });

  afterEach(() => scene.close());

  it.each([
    ['the domain itself', 'dom_1'],
    ['another domain', 'dom_2'],
  ])('change with its records, if %s has the nameserver', async (_whose, user) => {
    await given(user);

    await change('192.0.2.9');
    expect(updates()).toMatchObject([{ domainId: 'dom_1', request: { hosts: [HOST] }, status: 'queued' }]);
    await pass(around, 500);

    expect(published()).toEqual(['192.0.2.9']);
    expect(updates()).toMatchObject([{ status: 'succeeded', actor: { kind: 'service' } }]);
  });

  it('change for a domain of another account', async () => {
    await around.givenRecords('dom_1', [aRecord({ name: 'ns1', content: '192.0.2.1' }, 'rec_1')]);
    await around.givenDomain({
      id: 'dom_9',
      accountId: 'acc_2',
      name: 'theirs.com',
      nameservers: [HOST, 'ns2.other.net'],
    });
    around.registry.glue.set(HOST, ['192.0.2.1']);

    await change('192.0.2.9');
    await pass(around, 500);

    expect(published()).toEqual(['192.0.2.9']);
  });

  it('are not sent for other hosts, other types, or a TTL', async () => {
    await given('dom_1');

    await dns.addRecord.execute({ ...COMMAND, draft: { type: 'A', name: 'www', content: '192.0.2.7' } });
    await dns.addRecord.execute({ ...COMMAND, draft: { type: 'TXT', name: 'ns1', content: 'text' } });
    await dns.changeRecord.execute({ ...COMMAND, recordId: 'rec_1', patch: { ttl: 7_200 } });

    expect(updates()).toEqual([]);
  });

  it('are sent once for changes that follow each other before the first is sent', async () => {
    await given('dom_1');

    await change('192.0.2.8');
    await change('192.0.2.9');
    await pass(around, 500);

    expect(around.registry.callsOf('setGlue')).toHaveLength(1);
    expect(published()).toEqual(['192.0.2.9']);
  });

  it('stay as they are when the last one is removed, which the plan says', async () => {
    await given('dom_2');
    const removal = { ...COMMAND, recordId: 'rec_1' };

    const changing = await dns.changeRecord.plan({ ...removal, patch: { content: '192.0.2.9' } });
    const removing = await dns.removeRecord.plan(removal);
    await dns.removeRecord.execute(removal);
    await pass(around, 500);

    expect(changing.warnings).toEqual([`The registry gets the new addresses of nameserver ${HOST}`]);
    expect(removing.warnings).toEqual([
      `Other domains use nameserver ${HOST}, which has no address any more. The registry keeps its last addresses`,
    ]);
    expect(published()).toEqual(['192.0.2.1']);
    expect(updates()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('reach the registry although the command or its response is lost', async () => {
    await given('dom_1');
    around.registry.next('setGlue').isUnreachable();
    around.registry.next('setGlue').losesItsResponse();

    await change('192.0.2.9');
    await pass(around, 500);
    expect(updates()).toMatchObject([{ status: 'uncertain' }]);
    await pass(around, 10_000);

    expect(published()).toEqual(['192.0.2.9']);
    expect(updates()).toMatchObject([{ status: 'succeeded', attempts: 3 }]);
  });

  it('reach the registry if the process that sends them is killed, with what changed since', async () => {
    await given('dom_1');
    around.registry.next('setGlue').respondsLate();
    await change('192.0.2.8');
    await pass(around, 500);
    jest.clearAllTimers();

    await change('192.0.2.9');
    scene.aProcess();
    await pass(around, 16_000);

    expect(published()).toEqual(['192.0.2.9']);
    expect(updates()).toMatchObject([{ status: 'succeeded', attempts: 2 }, { status: 'succeeded' }]);
  });

  it('stay as they are if the registrar cannot change them alone, which the plan says', async () => {
    const glue = new GlueUpdates(new TldPolicies(SOME_TLDS), around.ids, around.clock, around.lifecycleClock);
    const domain = await around.givenDomain({ id: 'dom_4', name: 'fourth.com', nameservers: ['ns1.fourth.com'] });
    const record = DnsRecord.create({ type: 'A', name: 'ns1', content: '192.0.2.1' }, 'fourth.com', 'rec_4', CREATED);
    const change = { added: [record], changed: [], removed: [] };

    await around.storage.run((stores) => glue.queue(stores, [{ zone: domain.hostedName, change }]));

    expect(updates()).toEqual([]);
    expect(
      await glue.notes(around.storage.hostedNames, { zone: domain.hostedName, change }, [record], OURS.actor),
    ).toEqual([
      'The registry keeps the former addresses of nameserver ns1.fourth.com until the nameservers of the domain are set again',
    ]);
  });

  it('are sent again if they change while the registry executes the delegation to the nameserver', async () => {
    await around.givenRecords('dom_1', [aRecord({ name: 'ns1', content: '192.0.2.1' }, 'rec_1')]);
    const late = around.registry.next('setNameservers').respondsLate();
    const delegating = scene.delegate([HOST, 'ns2.other.net'], { domainId: 'dom_2' });
    await pass(around, 500);

    await change('192.0.2.9');
    late.release();
    await delegating;
    await pass(around, 500);

    expect(published()).toEqual(['192.0.2.9']);
  });
});
