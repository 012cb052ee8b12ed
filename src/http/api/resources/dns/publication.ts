import { inject, injectable } from '../../../../application/ports/inject';
import { ReadPublication, type PublicationReport } from '../../../../application/dns/publishing/read-publication';
import { serialOf } from '../../../../domain/dns/zone-serial';
import { ok, type ApiResult } from '../../../shared/result';
import type { ApiRequest } from '../../api-request';
import { resolution } from './zone-presenter';

/** Whether the secondaries serve a zone, and whether the domain is delegated to them. */
@injectable()
export class PublicationController {
  constructor(@inject(ReadPublication) private readonly readPublication: ReadPublication) {}

  async status({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(publication(await this.readPublication.execute({ ...caller, domainId: params.id })));
  }
}

function publication({
  version,
  serial,
  published,
  secondaries,
  delegation: { state, nameservers, ourNameservers, additionalNameservers },
  failingAliases,
}: PublicationReport): object {
  const delegation = {
    state,
    nameservers: [...nameservers],
    our_nameservers: [...ourNameservers],
    additional_nameservers: [...additionalNameservers],
  };
  return {
    version,
    serial: serialOf(serial),
    published,
    secondaries: secondaries.map(secondary),
    delegation,
    failing_aliases: failingAliases.map((alias) => ({
      name: alias.name,
      target: alias.target,
      resolution: resolution(alias),
    })),
  };
}

/** `behind` is one that serves an older version. */
function secondary({ secondary: name, answer, isCurrent }: PublicationReport['secondaries'][number]): object {
  if (answer.kind !== 'serves') return { name, state: answer.kind, serial: null, since: null };
  return { name, state: isCurrent ? 'current' : 'behind', serial: answer.serial, since: answer.since.toISOString() };
}
