import { Router, type Request, type Response } from 'express';
import { type Readiness, StorageSlow } from '../../application/ports/storage/storage-unavailable';
import type { LimitsStoreProbe } from '../../application/ports/access/rate-limits-and-usage';
import { ServiceStopping } from '../shared/errors';
import { readOnly } from '../shared/read-only';
import { respondJson } from '../shared/respond';
import { ok } from '../shared/result';

/** `/healthz`: the process runs. `/readyz`: it serves requests, and the database can be read and written. The limits store is not needed. */
export class HealthRoutes {
  readonly router = Router({ caseSensitive: true });

  constructor(
    private readonly readiness: Readiness,
    private readonly isDraining: () => boolean,
    private readonly limitsStore?: LimitsStoreProbe,
  ) {
    this.router.route('/healthz').get(this.health.bind(this)).all(readOnly);
    this.router.route('/readyz').get(this.ready.bind(this)).all(readOnly);
  }

  private health(_req: Request, res: Response): void {
    respondJson(res, ok({ status: 'ok' }));
  }

  private async ready(_req: Request, res: Response): Promise<void> {
    if (this.isDraining()) throw new ServiceStopping();
    const isSlow = await this.isDatabaseSlow();
    // A load balancer waits for half a second: a store that hangs must not take away all replicas.
    void this.limitsStore?.responds();
    const limitsStore = this.limitsStore && { limits_store: this.limitsStore.isAway ? 'away' : 'ok' };
    respondJson(res, ok({ status: 'ready', ...(isSlow && { database: 'slow' }), ...limitsStore }));
  }

  /** A process with a slow disk still serves reads. @throws StorageUnavailable */
  private async isDatabaseSlow(): Promise<boolean> {
    try {
      await this.readiness.check();
      return false;
    } catch (error) {
      if (error instanceof StorageSlow) return true;
      throw error;
    }
  }
}
