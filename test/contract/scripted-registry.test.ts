import { DomainName } from '../../src/domain/registration/domain-name';
import { registryContract } from '../../src/testing/registry-contract';
import type { TestControls } from '../../src/testing/test-controls';
import { freshId, freshName, register } from '../../src/testing/registry-fixtures';
import { MovableClock } from '../support/fakes/movable-clock';
import { ScriptedRegistry } from '../support/fakes/scripted-registry';

/** It is somebody else's system: a restart of ours does not touch it. */
registryContract(
  'the scripted registry of the unit tests',
  async () => {
    const registry = new ScriptedRegistry(new MovableClock());
    const controls: TestControls = {
      loseNextAnswer: async (_name, command) => registry.next(command).losesItsAnswer(),
    };
    return { registry, reopen: async () => registry, close: async () => undefined, controls };
  },
  { controls: ['loseNextAnswer'] },
);

const aRegistry = () => new ScriptedRegistry(new MovableClock());

describe('a script for a registry', () => {
  it('refuses, and nothing has changed', async () => {
    const registry = aRegistry();
    const name = freshName();
    registry.next('register').isRefused('credit', 'no money');

    await expect(register(registry, name)).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
      reason: 'credit',
      details: 'no money',
    });

    expect(await registry.info(name)).toBeUndefined();
    expect(registry.charges).toEqual([]);
  });

  it('is unreachable, and nothing has changed', async () => {
    const registry = aRegistry();
    const name = freshName();
    registry.next('register').isUnreachable();

    await expect(register(registry, name)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    expect(await registry.info(name)).toBeUndefined();
  });

  it('loses its answer, and everything has changed', async () => {
    const registry = aRegistry();
    const name = freshName();
    registry.next('register').losesItsAnswer();

    await expect(register(registry, name)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    expect(await registry.info(name)).toMatchObject({ ours: true, createdByUs: true });
    expect(registry.charges).toHaveLength(1);
  });

  it('answers late what has happened at once', async () => {
    const registry = aRegistry();
    const name = freshName();
    const turn = registry.next('register').answersLate();

    const answer = register(registry, name);
    await new Promise(setImmediate);
    const during = await registry.info(name);
    turn.release();

    expect(await answer).toMatchObject({ ...during });
  });

  it('meets calls in the order told, and each once', async () => {
    const registry = aRegistry();
    registry.next('info').isUnreachable();
    registry.next('info').isRefused('policy');

    await expect(registry.info(freshName())).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
    await expect(registry.info(freshName())).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });
    expect(await registry.info(freshName())).toBeUndefined();
  });

  it('is down until it comes up', async () => {
    const registry = aRegistry();
    registry.goDown();
    await expect(registry.poll()).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    registry.comeUp();

    expect(await registry.poll()).toBeUndefined();
  });

  it('holds what it was told to hold', async () => {
    const registry = aRegistry();
    registry.hold('taken.com', { ours: false });

    await expect(registry.setTransferLock(DomainName.parse('taken.com'), true, freshId())).rejects.toMatchObject({
      reason: 'not_held',
    });

    expect(await registry.info(DomainName.parse('taken.com'))).toMatchObject({ ours: false, createdByUs: false });
    expect((await registry.check([DomainName.parse('taken.com')]))[0]?.available).toBe(false);
  });
});
