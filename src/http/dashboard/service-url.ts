import type { Request } from 'express';
import type { UpdateServer } from '../../application/access/key-presets/client-configurations';
import type { DashboardSettings } from './dashboard-settings';

/** The public base URL of the service, without a trailing slash. */
export function serviceUrl(
  req: Pick<Request, 'protocol' | 'get'>,
  { publicUrl }: Pick<DashboardSettings, 'publicUrl'>,
): string {
  return publicUrl ?? `${req.protocol}://${req.get('host') ?? 'localhost'}`;
}

/** Where the service takes DNS updates. Undefined without a DNS listener. */
export function updateServer(
  req: Pick<Request, 'protocol' | 'get'>,
  settings: Pick<DashboardSettings, 'publicUrl' | 'updates'>,
): UpdateServer | undefined {
  const { updates } = settings;
  return updates && { host: updates.host ?? new URL(serviceUrl(req, settings)).hostname, port: updates.port };
}
