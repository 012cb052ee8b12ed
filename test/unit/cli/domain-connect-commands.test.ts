import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectDecision } from '../../../src/application/dns/domain-connect/connect-decision';
import { SyncTemplates } from '../../../src/application/dns/domain-connect/catalog/sync-templates';
import { TryTemplate } from '../../../src/application/dns/domain-connect/try-template';
import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import { UsageError } from '../../../src/cli/usage-error';
import { PROVIDER, templateFile, UNSIGNED } from '../../support/domain-connect/connect-provider';
import { dnsUseCases } from '../../support/use-cases/dns-use-cases';
import { UseCaseContext } from '../../support/use-cases/use-case-context';

describe('the operator’s commands about Domain Connect', () => {
  let around: UseCaseContext;
  let folder: string;

  beforeEach(() => {
    around = new UseCaseContext();
    folder = mkdtempSync(join(tmpdir(), 'namewright-connect-'));
    for (const { template } of [PROVIDER, UNSIGNED]) write(template);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(template: { readonly providerId: string; readonly serviceId: string }): void {
    const { name, text } = templateFile(template);
    writeFileSync(join(folder, name), text);
  }

  async function run(...args: readonly string[]): Promise<string> {
    const { storage, ids, clock } = around;
    const command = parseCommand(['domain-connect', ...args]);
    if (command.kind === 'help') throw new Error('help was asked for');
    const decision = new ConnectDecision(ids, clock);
    const { zoneWriter } = dnsUseCases(around);
    const connect = {
      templates: storage.connectTemplates,
      sync: new SyncTemplates(storage.connectTemplates, storage, clock),
      tryTemplate: new TryTemplate(zoneWriter, storage.hostedNames, storage.connectedServices, decision),
    };
    return command.run({ connect } as unknown as CommandServices);
  }

  it('list what is new, changed and refused in a checkout, and which is on', async () => {
    writeFileSync(join(folder, 'bad.json'), '{');
    const first = await run('sync', folder);
    const renamed = { ...UNSIGNED.template, providerName: 'Plainer' };
    write(renamed);

    const second = await run('sync', folder);

    expect(first.split('\n')).toEqual([
      'new\toff\tplain.example\tplain',
      'new\ton\tprovider.example\tshop',
      'refused\t-\tbad.json\tis not JSON',
      '2 new, 0 changed, 0 unchanged, 1 refused',
    ]);
    expect(second.split('\n')).toEqual([
      'changed\toff\tplain.example\tplain',
      'refused\t-\tbad.json\tis not JSON',
      '0 new, 1 changed, 1 unchanged, 1 refused',
    ]);
  });

  it('store nothing in a dry run, and refuse a second template of one service', async () => {
    writeFileSync(join(folder, 'z-copy.json'), JSON.stringify(PROVIDER.template));

    expect(await run('sync', folder, '--dry-run')).toMatch(/refused\t-\tz-copy\.json\tanother file has the same/);
    expect(await run('list')).toBe('');
  });

  it('switch a provider on and off', async () => {
    await run('sync', folder);

    await run('provider', 'plain.example', 'on');
    await run('provider', 'provider.example', 'off');

    expect(await run('list')).toBe('on\tunsigned\tplain.example\tplain\noff\tsigned\tprovider.example\tshop');
    await expect(run('provider', 'unknown.example', 'on')).rejects.toMatchObject({
      issues: [{ path: 'provider', message: 'has no template here: see domain-connect list' }],
    });
    expect(() => parseCommand(['domain-connect', 'provider', 'plain.example', 'maybe'])).toThrow(UsageError);
  });

  it('list what an own template would change, and change nothing', async () => {
    await around.givenDomain({ id: 'dom_1', name: 'example.com' });
    const file = join(folder, templateFile(UNSIGNED.template).name);
    const before = around.storage.tables;

    const shown = await run('apply', file, 'domain=example.com&host=www&ip=192.0.2.1', '--dry-run');

    expect(shown).toBe('+ www 600 A 192.0.2.1');
    expect(around.storage.tables).toEqual(before);
    await expect(run('apply', file, 'domain=other.example&ip=192.0.2.1', '--dry-run')).rejects.toThrow(
      'Request validation failed',
    );
    expect(() => parseCommand(['domain-connect', 'apply', file, 'domain=example.com'])).toThrow(UsageError);
  });
});
