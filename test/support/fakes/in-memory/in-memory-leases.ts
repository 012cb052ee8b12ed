import type { Leases, LeaseState } from '../../../../src/application/ports/storage/replicas';
import type { Transact } from './tables';

export class InMemoryLeases implements Leases {
  constructor(private readonly transact: Transact) {}

  async find(name: string): Promise<LeaseState | undefined> {
    return this.transact(async ({ leases }) => leases.get(name));
  }

  async hold(name: string, owner: string, stopped?: LeaseState): Promise<LeaseState> {
    return this.transact(async ({ leases }) => {
      const lease = leases.get(name);
      const isStopped = lease?.owner === stopped?.owner && lease?.beats === stopped?.beats;
      if (lease && lease.owner !== owner && lease.owner !== '' && !isStopped) return lease;
      const next = { owner, beats: (lease?.beats ?? 0) + 1 };
      leases.set(name, next);
      return next;
    });
  }

  async confirm(name: string, owner: string): Promise<boolean> {
    return this.transact(async ({ leases }) => {
      const lease = leases.get(name);
      if (lease?.owner !== owner) return false;
      leases.set(name, { owner, beats: lease.beats + 1 });
      return true;
    });
  }

  async release(name: string, owner: string): Promise<void> {
    await this.transact(async ({ leases }) => {
      const lease = leases.get(name);
      if (lease?.owner === owner) leases.set(name, { ...lease, owner: '' });
    });
  }
}
