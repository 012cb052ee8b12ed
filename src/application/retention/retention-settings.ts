/** How long rows are kept, in days. */
export interface RetentionSettings {
  readonly auditDays: number;
  readonly operationDays: number;
  /** Registrants of domains that are gone or transferred out. */
  readonly personalDataDays: number;
  /** Everything else of those domains; at least `personalDataDays`. */
  readonly endedDomainDays: number;
  readonly messageDays: number;
}
export const RetentionSettings = Symbol('RetentionSettings');
