/** Who of several processes does what only one must do. */
export interface Leases {
  /** Takes or keeps the lease `name` for `ms` from `now`; false while another owner holds it. */
  hold(name: string, owner: string, now: Date, ms: number): Promise<boolean>;
  /** Gives it back before its time, if it is `owner`'s. */
  release(name: string, owner: string): Promise<void>;
}
export const Leases = Symbol('Leases');
