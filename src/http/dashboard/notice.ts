import type { DashboardRequest } from './visitor';

/** A line at the top of the next page. */
export interface Notice {
  readonly kind: 'done' | 'warning';
  readonly text: string;
  /** A form that takes back what was done: its address and hidden fields. */
  readonly undo?: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
}

export function setFlash(req: Pick<DashboardRequest, 'session'>, notice: Notice): void {
  req.session.notice = notice;
}

/** The notice that waits, which is then told. */
export function consumeFlash({ session }: { session?: DashboardRequest['session'] }): Notice | undefined {
  const notice = session?.notice;
  if (notice) delete session?.notice;
  return notice;
}
