import { inject, injectable } from '../../ports/inject';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { ServiceError } from '../../../domain/shared/service-error';
import { PublicationWait } from '../publishing/publication-wait';
import { UpdateReports } from '../records/update-reports';
import type { Decide, ZoneRequest } from '../zones/zone-request';
import { ZoneWriter } from '../zones/zone-writer';

interface ProgramRequest extends ZoneRequest {
  readonly zoneName: string;
  /** Many records are written in a transaction of their own. */
  readonly isLarge?: boolean;
}

/**
 * Changes a zone for a program that does not know this service: returns when every secondary serves the change, or after a time
 * limit with a warning in the log. What is refused is in the log and in the activity log.
 */
@injectable()
export class ProgramWriter {
  constructor(
    @inject(ZoneWriter) private readonly writer: ZoneWriter,
    @inject(PublicationWait) private readonly publication: PublicationWait,
    @inject(UpdateReports) private readonly reports: UpdateReports,
  ) {}

  /** @throws the errors of `ZoneWriter` */
  async write<T>(request: ProgramRequest, decide: Decide<T>): Promise<T> {
    const { result, zone } = await this.commit(request, decide);
    if ((await this.publication.wait(zone)) === 'late') this.reports.reportLate(request.actor, zone);
    return result;
  }

  private async commit<T>({ zoneName, isLarge = false, ...request }: ProgramRequest, decide: Decide<T>) {
    try {
      return await (isLarge ? this.writer.write(request, decide) : this.writer.writeFew(request, decide));
    } catch (error) {
      const isRefused = error instanceof ServiceError && !(error instanceof DomainNotFound);
      if (isRefused) await this.reports.reportRefused(request, { domainId: request.domainId, zoneName }, error);
      throw error;
    }
  }
}
