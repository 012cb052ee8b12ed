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
