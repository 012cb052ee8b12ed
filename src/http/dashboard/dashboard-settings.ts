export interface DashboardSettings {
  /** Signs cookies and form tokens. */
  readonly cookieSecret: string;
  /** Where the service is reached from outside, without a slash at the end; undefined: as each request says. */
  readonly publicUrl: string | undefined;
  /** Attempts to sign in, for each e-mail in a quarter of an hour; 0: no limit. */
  readonly signInAttempts: number;
  /** Requests a minute for each account; 0: no limit. */
  readonly rateLimitPerMinute: number;
  readonly recordsPerSet: number;
  readonly recordsPerZone: number;
}
export const DashboardSettings = Symbol('DashboardSettings');
