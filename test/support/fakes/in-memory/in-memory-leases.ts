import type { Leases } from '../../../../src/application/ports/storage/leases';
import type { Transact } from './tables';

export class InMemoryLeases implements Leases {
  constructor(private readonly transact: Transact) {}

  async hold(name: string, owner: string, now: Date, ms: number): Promise<boolean> {
    return this.transact(async ({ leases }) => {
      const held = leases.get(name);
      if (held && held.owner !== owner && held.heldUntil > now.getTime()) return false;
      leases.set(name, { owner, heldUntil: now.getTime() + ms });
      return true;
    });
  }

  async release(name: string, owner: string): Promise<void> {
    await this.transact(async ({ leases }) => {
      if (leases.get(name)?.owner === owner) leases.delete(name);
    });
  }
}
