import { inject, injectable } from '../../../../application/ports/inject';
import { ReadPublication } from '../../../../application/dns/publishing/read-publication';
import { ok, type ApiResult } from '../../../shared/result';
import type { ApiRequest } from '../../api-request';
import { publication } from '../../presenters/dns/publication-presenter';

/** Whether the secondaries serve a zone, and whether the domain is delegated to them. */
@injectable()
export class PublicationController {
  constructor(@inject(ReadPublication) private readonly readPublication: ReadPublication) {}

  async status({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(publication(await this.readPublication.execute({ ...caller, domainId: params.id })));
  }
}
