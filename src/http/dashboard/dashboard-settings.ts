import { token } from '../../application/ports/inject';
import type { WritableType } from '../../domain/dns/records/types/record-types';

export interface DashboardSettings {
  /** Signs cookies and form tokens. */
  readonly cookieSecret: string;
  /** The public base URL without a trailing slash; undefined: taken from each request. */
  readonly publicUrl: string | undefined;
  /** Where DNS updates are taken; undefined without a DNS listener. Without a name, at the host of the public URL. */
  readonly updates: { readonly host: string | undefined; readonly port: number } | undefined;
  /** Sign-in attempts per e-mail in 15 minutes; 0: no limit. */
  readonly signInAttempts: number;
  /** Orders of at least this amount, in whole units of their currency, need re-authentication; 0: none. */
  readonly confirmOrdersFrom: number;
  /** Requests per minute and account; 0: no limit. */
  readonly rateLimitPerMinute: number;
  /** Of which the dashboard writes records. */
  readonly recordTypes: readonly WritableType[];
  readonly recordsPerSet: number;
  readonly recordsPerZone: number;
  /** The APIs of other products that are switched on. */
  readonly compatibilityApis: readonly string[];
  /** OpenID Connect providers. */
  readonly identityProviders: readonly {
    /** The account in which its groups set the roles. */
    readonly groupsAccount: string | undefined;
    readonly id: string;
    readonly name: string;
    readonly invitations: boolean;
  }[];
}
export const DashboardSettings = token<DashboardSettings>('DashboardSettings');
