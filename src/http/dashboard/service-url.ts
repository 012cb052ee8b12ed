import type { Request } from 'express';
import type { DashboardSettings } from './dashboard-settings';

/** The public base URL of the service, without a trailing slash. */
export function serviceUrl(
  req: Pick<Request, 'protocol' | 'get'>,
  { publicUrl }: Pick<DashboardSettings, 'publicUrl'>,
): string {
  return publicUrl ?? `${req.protocol}://${req.get('host') ?? 'localhost'}`;
}
