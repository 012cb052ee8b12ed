import type { Request } from 'express';
import type { DashboardSettings } from './dashboard-settings';

/** Where people and programs reach the service, without a slash at the end. */
export function serviceUrl(
  req: Pick<Request, 'protocol' | 'get'>,
  { publicUrl }: Pick<DashboardSettings, 'publicUrl'>,
): string {
  return publicUrl ?? `${req.protocol}://${req.get('host') ?? 'localhost'}`;
}
