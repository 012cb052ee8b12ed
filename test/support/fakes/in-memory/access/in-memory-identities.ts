import type { IdentityReader, IdentityRepository } from '../../../../../src/application/ports/access/users';
import { identityId, type Identity } from '../../../../../src/domain/access/people/identity';
import type { Tables } from '../tables';

function identitiesOf({ identities }: Tables, personIds: readonly string[]): readonly Identity[] {
  return [...identities.values()]
    .filter(({ personId }) => personIds.includes(personId))
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

export class InMemoryIdentityReader implements IdentityReader {
  constructor(private readonly committed: () => Tables) {}

  async find(id: string): Promise<Identity | undefined> {
    return this.committed().identities.get(id);
  }

  async ofPersons(personIds: readonly string[]): Promise<readonly Identity[]> {
    return identitiesOf(this.committed(), personIds);
  }
}

export class InMemoryIdentityRepository implements IdentityRepository {
  constructor(private readonly tables: Tables) {}

  async ofPerson(personId: string): Promise<readonly Identity[]> {
    return identitiesOf(this.tables, [personId]);
  }

  async add(identity: Identity): Promise<boolean> {
    const id = identityId(identity);
    if (this.tables.identities.has(id)) return false;
    this.tables.identities.set(id, identity);
    return true;
  }

  async recordUse(id: string, at: Date): Promise<void> {
    const identity = this.tables.identities.get(id);
    if (identity) this.tables.identities.set(id, { ...identity, lastUsedAt: at });
  }

  async remove(personId: string, id: string): Promise<boolean> {
    return this.tables.identities.get(id)?.personId === personId && this.tables.identities.delete(id);
  }

  async removeAll(personId: string): Promise<void> {
    for (const [id, identity] of this.tables.identities)
      if (identity.personId === personId) this.tables.identities.delete(id);
  }
}
