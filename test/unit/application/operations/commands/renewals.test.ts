import { AcceptedNotShown } from '../../../../../src/application/ports/registry/registry-errors';
import type { RegistryDomain } from '../../../../../src/application/ports/registry/registry-port';
import { Renewals } from '../../../../../src/application/operations/commands/renewals';
import { SERVICE } from '../../../../../src/domain/access/actor';
import type { DomainName } from '../../../../../src/domain/shared/domain-name';
import { Operation } from '../../../../../src/domain/registration/operations/operation';
import type { RequestOf } from '../../../../../src/domain/registration/operations/operation-request';
import { aDomain } from '../../../../support/data/a-domain';
import { MovableClock } from '../../../../support/fakes/movable-clock';
import { ScriptedRegistry } from '../../../../support/fakes/scripted-registry';

const FROM = new Date('2027-01-01T00:00:00.000Z');
const NOW = new Date('2026-06-01T00:00:00.000Z');

/** Says yes, and extends nothing. */
class StubbornRegistry extends ScriptedRegistry {
  override async renew(name: DomainName): Promise<RegistryDomain> {
    const held = await this.info(name);
    if (!held) throw new Error(`${name.value} is not held`);
    return held;
  }
}

function renewed(
  registry: ScriptedRegistry,
  years: number,
  isOutcomeUnknown = false,
  now = NOW,
): Promise<RegistryDomain> {
  const request: RequestOf<'renew'> = { kind: 'renew', years, price: { minor: years * 12_00, currency: 'USD' } };
  const operation = Operation.queue(
    { id: 'op_1', accountId: 'acc_1', domainId: 'dom_1', actor: SERVICE, request },
    NOW,
  );
  operation.begin('owner', NOW, NOW);
  if (isOutcomeUnknown) operation.markOutcomeUnknown({ code: 'REGISTRY_UNAVAILABLE', message: 'not known' }, 0, NOW);
  return new Renewals(registry, new MovableClock(now)).renew(aDomain({ expiresAt: FROM }), request, operation);
}

describe('a renewal', () => {
  it('stays uncertain if the registry accepts it without extending the registration', async () => {
    const registry = new StubbornRegistry(new MovableClock(NOW));
    registry.hold('example.com', { expiresAt: FROM });

    await expect(renewed(registry, 1)).rejects.toBeInstanceOf(AcceptedNotShown);
  });

  it('stays uncertain if the registry shows the former expiry at another time of the day', async () => {
    const registry = new StubbornRegistry(new MovableClock(NOW));
    registry.hold('example.com', { expiresAt: new Date(FROM.getTime() + 3_600_000) });

    await expect(renewed(registry, 1)).rejects.toBeInstanceOf(AcceptedNotShown);
  });

  it('is not complete because of years that the registry has added by itself', async () => {
    const registry = new ScriptedRegistry(new MovableClock(NOW));
    registry.hold('example.com', { phase: 'auto_renew_grace', expiresAt: new Date('2029-01-01T00:00:00.000Z') });

    await expect(renewed(registry, 2, true, new Date('2028-01-02T00:00:00.000Z'))).rejects.toMatchObject({
      reason: 'expiry_differs',
    });

    expect(registry.charges).toEqual([]);
  });

  it('is complete if the expiry shows all its years, although the auto-renew grace period continues', async () => {
    const registry = new ScriptedRegistry(new MovableClock(NOW));
    registry.hold('example.com', { phase: 'auto_renew_grace', expiresAt: new Date('2029-01-01T00:00:00.000Z') });

    expect(await renewed(registry, 2, true, new Date('2027-01-10T00:00:00.000Z'))).toMatchObject({
      expiresAt: new Date('2029-01-01T00:00:00.000Z'),
    });

    expect(registry.charges).toEqual([]);
  });
});
