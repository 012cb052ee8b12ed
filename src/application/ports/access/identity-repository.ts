import { token } from '../inject';
import type { Identity } from '../../../domain/access/people/identity';

/** Reads committed state. */
export interface IdentityReader {
  find(id: string): Promise<Identity | undefined>;
  /** Oldest first. */
  ofPersons(personIds: readonly string[]): Promise<readonly Identity[]>;
}
export const IdentityReader = token<IdentityReader>('IdentityReader');

/** Within a unit of work that has locked a user of the person. */
export interface IdentityRepository {
  /** Oldest first. */
  ofPerson(personId: string): Promise<readonly Identity[]>;
  /** Whether it was added; false if a person has the identity. */
  add(identity: Identity): Promise<boolean>;
  recordUse(id: string, at: Date): Promise<void>;
  /** Whether the person had it. */
  remove(personId: string, id: string): Promise<boolean>;
  removeAll(personId: string): Promise<void>;
}
