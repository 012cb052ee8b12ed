export interface Readiness {
  /** @throws StorageUnavailable while the database cannot be reached or takes no writes */
  check(): Promise<void>;
}
export const Readiness = Symbol('Readiness');
