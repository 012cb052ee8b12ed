import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/infrastructure/persistence/data-source';
import type { RunningRegistry } from '../../src/infrastructure/registry/registry-adapter';
import { REGISTRY_ADAPTERS } from '../../src/infrastructure/registry/registry-factory';
import { SystemClock } from '../../src/infrastructure/system/system-clock';
import { registryContract, type RegistryUnderTest } from '../../src/testing/registry-contract';
import { freshId, freshName, register, years } from '../../src/testing/registry-fixtures';
import { MYSQL_MISSING, startMysql } from '../support/mariadb';
import { describeIf } from '../support/skip-aloud';

async function simulated(beside: DatabaseLocation, cleanUp: () => Promise<void> | void): Promise<RegistryUnderTest> {
  const start = () => REGISTRY_ADAPTERS.simulated({ clock: new SystemClock(), currency: 'USD', beside });
  let running = await start();
  return {
    registry: running.port,
    reopen: async () => {
      await running.close();
      running = await start();
      return running.port;
    },
    close: async () => {
      await running.close();
      await cleanUp();
    },
  };
}

function inTemporaryFolder(): { location: DatabaseLocation; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-registry-'));
  return { location: { kind: 'sqlite', file: join(folder, 'service.db') }, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

registryContract('the simulated registry on SQLite', async () => {
  const { location, remove } = inTemporaryFolder();
  return simulated(location, remove);
});

describeIf(MYSQL_MISSING === undefined, MYSQL_MISSING ?? '')('with a database server', () => {
  registryContract('the simulated registry on MySQL', async () => {
    const mysql = await startMysql();
    return simulated({ kind: 'mysql', url: await mysql.createDatabase() }, () => mysql.stop());
  });
});

describe('the life of a name at the simulated registry', () => {
  const { location, remove } = inTemporaryFolder();
  let running: RunningRegistry;

  beforeAll(async () => {
    running = await REGISTRY_ADAPTERS.simulated({ clock: new SystemClock(), currency: 'USD', beside: location });
  });
  afterAll(async () => {
    await running.close();
    remove();
  });

  const sandbox = () => {
    if (!running.sandbox) throw new Error('the simulated registry has a sandbox');
    return running.sandbox;
  };

  it('ends at once, with a refund, when it is deleted within the add grace period', async () => {
    const name = freshName();
    await register(running.port, name);

    const left = await running.port.delete(name, freshId());

    expect(left).toBeUndefined();
    const booked = (await sandbox().ledger()).filter((entry) => entry.name.value === name.value);
    expect(booked.map(({ kind }) => kind)).toEqual(['register', 'refund']);
    expect(booked.reduce((total, { amount }) => total + amount.minor, 0)).toBe(0);
  });

  it('goes through redemption, and a restore brings it back', async () => {
    const name = freshName();
    await register(running.port, name);
    await sandbox().advance(6);

    const deleted = await running.port.delete(name, freshId());
    const restored = await running.port.restore(name, (await running.port.price(name)).restore, freshId());

    expect(deleted?.phase).toBe('redemption');
    expect(restored.phase).toBe('registered');
  });

  it('is renewed by the registry at its expiry, and freed after redemption and pending delete', async () => {
    const name = freshName();
    const { expiresAt } = await register(running.port, name);

    await sandbox().advance(366);
    const expired = await running.port.info(name);
    await running.port.delete(name, freshId());
    await sandbox().advance(31);
    const pendingDelete = await running.port.info(name);
    await sandbox().advance(6);

    expect(expired?.phase).toBe('auto_renew_grace');
    expect(expired?.expiresAt.getUTCFullYear()).toBe(expiresAt.getUTCFullYear() + 1);
    expect(pendingDelete?.phase).toBe('pending_delete');
    expect(await running.port.info(name)).toBeUndefined();
  });

  it('changes hands with a valid code once unlocked, and says so until it is acknowledged', async () => {
    const name = freshName();
    await register(running.port, name);
    const { code } = await running.port.issueAuthCode(name, freshId());

    await expect(sandbox().transferOut(name, code)).rejects.toMatchObject({ reason: 'policy' });
    await running.port.setTransferLock(name, false, freshId());
    await expect(sandbox().transferOut(name, 'wrong')).rejects.toMatchObject({ reason: 'policy' });
    await sandbox().transferOut(name, code);
    await sandbox().advance(6);

    expect((await running.port.info(name))?.ours).toBe(false);
    let message = await running.port.poll();
    while (message && !(message.kind === 'transferred_out' && message.name?.value === name.value)) {
      expect(await running.port.poll()).toEqual(message);
      await running.port.acknowledge(message.id);
      message = await running.port.poll();
    }
    expect(message?.kind).toBe('transferred_out');
  });

  it('tells the truth after an answer that was lost, and charges once', async () => {
    const name = freshName();
    const { expiresAt } = await register(running.port, name);
    await sandbox().injectFault({ kind: 'lose_answer', target: name.value, times: 1 });

    await expect(running.port.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
    await expect(running.port.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject({ reason: 'expiry_differs' });

    const renewals = (await sandbox().ledger()).filter((entry) => entry.name.value === name.value && entry.kind === 'renew');
    expect(renewals).toHaveLength(1);
  });
});
