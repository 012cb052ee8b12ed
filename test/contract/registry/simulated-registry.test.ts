import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../../src/infrastructure/persistence/database/database-location';
import type { RunningRegistry } from '../../../src/infrastructure/registry/registry-adapter';
import { REGISTRY_ADAPTERS } from '../../../src/infrastructure/registry/registry-factory';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';
import { registryContract, type RegistryUnderTest } from '../../../src/testing/registry-contract';
import { freshId, freshName, register, years } from '../../../src/testing/registry-fixtures';
import { MYSQL_MISSING, startMysql } from '../../support/databases/mariadb';
import { LaggingReads } from '../../support/registries/lagging-reads';
import { ALL_CONTROLS, sandboxControls } from '../../support/registries/test-controls';
import { describeOrSkip } from '../../support/describe-or-skip';

async function simulated(
  mainDatabase: DatabaseLocation,
  cleanUp: () => Promise<void> | void,
): Promise<RegistryUnderTest> {
  const start = () => REGISTRY_ADAPTERS.simulated({ clock: new SystemClock(), currency: 'USD', mainDatabase });
  let running = await start();
  const reads = new LaggingReads();
  return {
    registry: reads.of(running.port),
    controls: { ...sandboxControls(() => running.sandbox!), lagReads: reads.lagReads },
    reopen: async () => {
      await running.close();
      running = await start();
      return reads.of(running.port);
    },
    close: async () => {
      await running.close();
      await cleanUp();
    },
  };
}

function inTemporaryFolder(): { location: DatabaseLocation; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-registry-'));
  return {
    location: { kind: 'sqlite', file: join(folder, 'service.db') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

registryContract(
  'registry contract: simulated registry on SQLite',
  async () => {
    const { location, remove } = inTemporaryFolder();
    return simulated(location, remove);
  },
  { controls: ALL_CONTROLS, unsupported: ['registrar_renewal', 'hosted_zone'] },
);

describeOrSkip(MYSQL_MISSING)('with a database server', () => {
  registryContract(
    'registry contract: simulated registry on MySQL',
    async () => {
      const mysql = await startMysql();
      return simulated({ kind: 'mysql', url: await mysql.createDatabase() }, () => mysql.stop());
    },
    { controls: ALL_CONTROLS, unsupported: ['registrar_renewal', 'hosted_zone'] },
  );
});

describe('clock of the simulated registry', () => {
  it('advances in every process, also in one that sends no command', async () => {
    const { location, remove } = inTemporaryFolder();
    const start = () =>
      REGISTRY_ADAPTERS.simulated({ clock: new SystemClock(), currency: 'USD', mainDatabase: location });
    const [mover, idle] = [await start(), await start()];

    const now = await mover.sandbox!.advance(30);
    while (idle.clock!.now() < now) await new Promise((later) => setTimeout(later, 50));

    expect(mover.clock!.now().getTime()).toBeGreaterThanOrEqual(now.getTime());
    await mover.close();
    await idle.close();
    remove();
  });
});

describe('ledger of the simulated registry', () => {
  const { location, remove } = inTemporaryFolder();
  let running: RunningRegistry;

  beforeAll(async () => {
    running = await REGISTRY_ADAPTERS.simulated({ clock: new SystemClock(), currency: 'USD', mainDatabase: location });
  });
  afterAll(async () => {
    await running.close();
    remove();
  });

  const sandbox = () => {
    if (!running.sandbox) throw new Error('the simulated registry has a sandbox');
    return running.sandbox;
  };

  it('refunds a name that is deleted in the add grace period', async () => {
    const name = freshName();
    await register(running.port, name);

    const result = await running.port.delete(name, freshId());

    expect(result).toBeUndefined();
    const entries = (await sandbox().ledger()).filter((entry) => entry.name.value === name.value);
    expect(entries.map(({ kind }) => kind)).toEqual(['register', 'refund']);
    expect(entries.reduce((total, { amount }) => total + amount.minor, 0)).toBe(0);
  });

  it('charges a renewal once if its response was lost and it is repeated', async () => {
    const name = freshName();
    const { expiresAt } = await register(running.port, name);
    await sandbox().injectFault({ kind: 'lose_answer', target: name.value, times: 1 });

    await expect(running.port.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
    });
    await expect(running.port.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject({
      reason: 'expiry_differs',
    });

    const renewals = (await sandbox().ledger()).filter(
      (entry) => entry.name.value === name.value && entry.kind === 'renew',
    );
    expect(renewals).toHaveLength(1);
  });
});
