import { RecheckSigning } from '../../../src/application/dnssec/recheck-signing';
import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import { ZoneSigning } from '../../../src/domain/dns/dnssec/zone-signing';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { closeScenarios, stopTime } from '../../support/use-cases/registration-scenario';
import { UseCaseContext } from '../../support/use-cases/use-case-context';

const FAILED = { reason: 'The registry refused', remedy: 'Ask it' };

describe('the operator’s commands about DNSSEC', () => {
  let around: UseCaseContext;
  beforeEach(async () => {
    stopTime();
    around = new UseCaseContext();
    for (const name of ['b.com', 'a.com']) await around.givenDomain({ id: `dom_${name}`, name });
    const [failed, waiting] = ['dom_b.com', 'dom_a.com'].map((id) => ZoneSigning.request(id, 'nsec', new Date(0)));
    failed?.fail(FAILED, new Date(0));
    await around.storage.run(async ({ zoneSignings }) => {
      for (const signing of [failed, waiting]) if (signing) await zoneSignings.add(signing);
    });
  });
  afterEach(() => closeScenarios(around));

  const run = async (...argv: string[]): Promise<string> => {
    const command = parseCommand(['dnssec', ...argv]);
    if (command.kind === 'help') throw new Error('help was asked for');
    const { storage, clock, lifecycleClock } = around;
    const { zoneSignings: signings } = storage;
    const recheck = new RecheckSigning(signings, storage, clock, lifecycleClock);
    return command.run({ dnssec: { signings, recheck } } as Partial<CommandServices> as CommandServices);
  };

  it('list zones by name with what the service waits for and since when, and the reason of an error', async () => {
    const since = '1970-01-01T00:00:00.000Z';
    expect(await run('list')).toBe(
      `publishing\tservice\t${since}\t-\ta.com\nerror\tservice\t${since}\t-\tb.com\tThe registry refused`,
    );
    expect(JSON.parse(await run('list', '--json'))).toMatchObject([{ name: 'a.com' }, { name: 'b.com', ...FAILED }]);
  });

  it('make a failed step due at once, with an entry in the activity log', async () => {
    expect(await run('recheck', 'B.com')).toBe('publishing, waits for service');

    const signing = await around.storage.zoneSignings.find('dom_b.com');
    expect(signing?.isDue(around.lifecycleClock.now())).toBe(true);
    expect(signing?.shownState).toBe('publishing');
    expect(around.auditEntries).toMatchObject([{ action: 'domain.dnssec_changed', after: { state: 'publishing' } }]);
  });

  it('reject the name of a domain without DNSSEC', async () => {
    await expect(run('recheck', 'unknown.com')).rejects.toThrow(ValidationError);
  });
});
