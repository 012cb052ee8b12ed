import { token } from '../ports/inject';

/** Operator settings of the checks in the background. */
export interface HealthSettings {
  /** Domains a minute; 0 switches the checks in the background off. */
  readonly checksPerMinute: number;
  /** How old a result gets before the domain is checked again, in milliseconds. */
  readonly intervalMs: number;
}
export const HealthSettings = token<HealthSettings>('HealthSettings');
