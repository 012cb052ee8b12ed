import type { DashboardRequest } from './dashboard-route';

/** A message that the next page shows once, at its top. */
export interface Flash {
  readonly kind: 'success' | 'warning';
  readonly text: string;
  /** URL and hidden fields of the form behind the Undo button. */
  readonly undo?: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
  /** Of the record that was added, for the form of the next one. */
  readonly added?: { readonly type: string; readonly ttl: string };
}

export function setFlash(req: Pick<DashboardRequest, 'session'>, flash: Flash): void {
  req.session.flash = flash;
}

/** Returns the flash message and removes it from the session. */
export function consumeFlash({ session }: { session?: DashboardRequest['session'] }): Flash | undefined {
  const flash = session?.flash;
  if (flash) delete session?.flash;
  return flash;
}
