import { inject, injectable } from 'inversify';
import { ReadPublication } from '../../../application/dns/publishing/read-publication';
import type { ApiHandler } from '../caller';
import { publication } from '../presenters/publication-presenter';

/** Whether a zone is live. */
@injectable()
export class PublicationController {
  constructor(@inject(ReadPublication) private readonly readPublication: ReadPublication) {}

  status: ApiHandler = async (req, res) => {
    const { accountId } = res.locals.caller;
    res.json(publication(await this.readPublication.execute({ accountId, domainId: req.params['id'] ?? '' })));
  };
}
