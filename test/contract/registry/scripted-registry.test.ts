import { DomainName } from '../../../src/domain/shared/domain-name';
import { registryContract } from '../../../src/testing/registry-contract';
import type { TestControls } from '../../../src/testing/test-controls';
import { freshId, freshName, register } from '../../../src/testing/registry-fixtures';
import { MovableClock } from '../../support/fakes/movable-clock';
import { ScriptedRegistry } from '../../support/fakes/scripted-registry';

const KINDS = { registration: 'register', renewal: 'renew', restore: 'restore', transfer: 'transfer' } as const;

registryContract(
  'registry contract: scripted registry of the unit tests',
  async () => {
    const registry = new ScriptedRegistry(new MovableClock());
    const controls: TestControls = {
      loseNextResponse: async (_name, command) => registry.next(command).losesItsResponse(),
      requestTransfer: async ({ value: name }, authCode) => registry.requestTransferOut(name, authCode),
      nameElsewhere: async ({ tld, locked }) => {
        const name = freshName(tld);
        registry.holdElsewhere(name.value, 'auth-code-elsewhere', { transferLocked: locked });
        return { name, authCode: 'auth-code-elsewhere' };
      },
      decideElsewhere: async ({ value: name }, decision) =>
        registry.endTransfer(
          name,
          ({ approve: 'completed', reject: 'rejected', cancel: 'cancelled' } as const)[decision],
        ),
      lagReads: async ({ value: name }) => {
        registry.lagReads(name);
        return async () => registry.catchUp(name);
      },
      charges: async ({ value }, charged) =>
        registry.charges.filter(({ kind, name }) => kind === KINDS[charged] && name === value).length,
      transferCharges: async ({ value }) =>
        registry.charges.filter(({ kind, name }) => kind === 'transfer' && name === value).length,
    };
    return { registry, reopen: async () => registry, close: async () => undefined, controls };
  },
  {
    controls: [
      'loseNextResponse',
      'requestTransfer',
      'nameElsewhere',
      'decideElsewhere',
      'transferCharges',
      'lagReads',
      'charges',
    ],
    unsupported: ['registrar_renewal', 'hosted_zone'],
  },
);

const aRegistry = () => new ScriptedRegistry(new MovableClock());

describe('ScriptedRegistry', () => {
  it('rejects a command and changes nothing', async () => {
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

  it('is unreachable for one command and changes nothing', async () => {
    const registry = aRegistry();
    const name = freshName();
    registry.next('register').isUnreachable();

    await expect(register(registry, name)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    expect(await registry.info(name)).toBeUndefined();
  });

  it('executes a command and loses its response', async () => {
    const registry = aRegistry();
    const name = freshName();
    registry.next('register').losesItsResponse();

    await expect(register(registry, name)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    expect(await registry.info(name)).toMatchObject({ sponsoredByUs: true, createdByUs: true });
    expect(registry.charges).toHaveLength(1);
  });

  it('executes a command at once and responds later', async () => {
    const registry = aRegistry();
    const name = freshName();
    const turn = registry.next('register').respondsLate();

    const response = register(registry, name);
    await new Promise(setImmediate);
    const during = await registry.info(name);
    turn.release();

    expect(await response).toMatchObject({ ...during });
  });

  it('applies scripted outcomes in order, each to one call', async () => {
    const registry = aRegistry();
    registry.next('info').isUnreachable();
    registry.next('info').isRefused('policy');

    await expect(registry.info(freshName())).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
    await expect(registry.info(freshName())).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });
    expect(await registry.info(freshName())).toBeUndefined();
  });

  it('rejects every call until it comes up again', async () => {
    const registry = aRegistry();
    registry.goDown();
    await expect(registry.poll()).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    registry.comeUp();

    expect(await registry.poll()).toBeUndefined();
  });

  it('returns the data that a test sets', async () => {
    const registry = aRegistry();
    registry.hold('taken.com', { sponsoredByUs: false });

    await expect(registry.setTransferLock(DomainName.parse('taken.com'), true, freshId())).rejects.toMatchObject({
      reason: 'not_held',
    });

    expect(await registry.info(DomainName.parse('taken.com'))).toMatchObject({
      sponsoredByUs: false,
      createdByUs: false,
    });
    expect((await registry.check([DomainName.parse('taken.com')]))[0]?.available).toBe(false);
  });
});
