import { token } from '../inject';

export interface ReplicaState {
  readonly id: string;
  /** How many heartbeats it has sent. */
  readonly beats: number;
}

/** The processes that serve requests or run background work on this database. It holds no time, so no clock can be wrong. */
export interface Replicas {
  /** Counts a beat of `id`, removes `dead` if they have not counted one since, and returns the others. */
  beat(id: string, dead: readonly ReplicaState[]): Promise<readonly ReplicaState[]>;
  remove(id: string): Promise<void>;
}
export const Replicas = token<Replicas>('Replicas');

export interface LeaseState {
  /** Empty after a release. */
  readonly owner: string;
  /** How many times its holders have confirmed it. */
  readonly beats: number;
}

/**
 * Which of several processes does what only one must do. A lease holds no time, so no clock can be wrong: the holder counts
 * beats, and another process takes the lease over when the beats stop.
 */
export interface Leases {
  /** The lease as committed; undefined if it was never taken. */
  find(name: string): Promise<LeaseState | undefined>;
  /**
   * Takes a free lease or keeps the owner's, and counts a beat. Takes another owner's lease only if it is still in the state
   * `stopped`. Returns the state afterwards, whose owner is the holder.
   */
  hold(name: string, owner: string, stopped?: LeaseState): Promise<LeaseState>;
  /** Counts a beat, and returns true, only if the lease is `owner`'s. Unlike `hold`, never takes a free lease. */
  confirm(name: string, owner: string): Promise<boolean>;
  /** Frees the lease if it is `owner`'s. */
  release(name: string, owner: string): Promise<void>;
}
export const Leases = token<Leases>('Leases');
