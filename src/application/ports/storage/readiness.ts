export interface Readiness {
  /** @throws StorageUnavailable while the database cannot be reached */
  check(): Promise<void>;
}
export const Readiness = Symbol('Readiness');
