import { InvalidValue } from './invalid-value';
import { listOf } from './plain-values';

/** APIs of other products that the service can speak: docs/clients. */
const COMPATIBILITY_APIS = ['powerdns', 'external-dns', 'httpreq', 'acme-dns', 'dyndns'] as const;
export type CompatibilityApi = (typeof COMPATIBILITY_APIS)[number];

/** A list as in `powerdns, external-dns`; empty for none. */
export function parseCompatibilityApis(text: string): readonly CompatibilityApi[] {
  if (text.trim() === '') return [];
  const known: readonly string[] = COMPATIBILITY_APIS;
  const names = [...new Set(listOf(text))];
  if (!names.every((name) => known.includes(name)))
    throw new InvalidValue(`must be some of ${COMPATIBILITY_APIS.join(', ')}, separated by commas`);
  return names as CompatibilityApi[];
}
