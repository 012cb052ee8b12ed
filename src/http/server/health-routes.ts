import { Router, type Request, type Response } from 'express';
import type { Readiness } from '../../application/ports/storage/readiness';
import { ServiceStopping } from '../shared/errors';
import { readOnly } from '../shared/read-only';
import { respondJson } from '../shared/respond';
import { ok } from '../shared/result';

/** `/healthz`: the process runs. `/readyz`: it serves requests, and the database can be read and written. */
export class HealthRoutes {
  readonly router = Router({ caseSensitive: true });

  constructor(
    private readonly readiness: Readiness,
    private readonly isDraining: () => boolean,
  ) {
    this.router.route('/healthz').get(this.health.bind(this)).all(readOnly);
    this.router.route('/readyz').get(this.ready.bind(this)).all(readOnly);
  }

  private health(_req: Request, res: Response): void {
    respondJson(res, ok({ status: 'ok' }));
  }

  private async ready(_req: Request, res: Response): Promise<void> {
    if (this.isDraining()) throw new ServiceStopping();
    await this.readiness.check();
    respondJson(res, ok({ status: 'ready' }));
  }
}
