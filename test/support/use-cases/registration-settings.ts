import type { RegistrationSettings } from '../../../src/application/registration/registration-settings';

export const SETTINGS: RegistrationSettings = {
  defaultNameservers: ['ns1.default.net', 'ns2.default.net'],
  defaultSearchTlds: ['com', 'org', 'net'],
  searchTimeoutMs: 3_000,
  currency: 'USD',
};
