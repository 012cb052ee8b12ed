import { token } from '../ports/inject';

/** Operator settings for registration. */
export interface RegistrationSettings {
  /** Nameservers of a domain that is registered without any. */
  readonly defaultNameservers: readonly string[];
  /** TLDs of a search that names none. */
  readonly defaultSearchTlds: readonly string[];
  /** Time limit of a search, in milliseconds. */
  readonly searchTimeoutMs: number;
  /** ISO 4217 code of all prices. */
  readonly currency: string;
}
export const RegistrationSettings = token<RegistrationSettings>('RegistrationSettings');
