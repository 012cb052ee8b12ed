import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { DesiredStateReader, type StoredState } from '../ports/portfolio/portfolio-repositories';
import type { ListPosition, Page } from '../ports/storage/page';
import { VisibleDomains } from '../registration/visible-domains';
import { filledPage } from '../shared/pages-of';

export type DriftedState = StoredState & { readonly driftedAt: Date };

/** The names whose records or settings were changed past their desired state since it was applied, the longest ago first. */
@injectable()
export class ListDrifted {
  constructor(
    @inject(DesiredStateReader) private readonly states: Pick<DesiredStateReader, 'drifted'>,
    @inject(VisibleDomains) private readonly domains: Pick<VisibleDomains, 'names'>,
  ) {}

  /** Those that the requester may see. */
  page(requester: Reader, limit: number, after?: ListPosition): Promise<Page<DriftedState, ListPosition>> {
    return filledPage(limit, after, (rest, from) => this.somePage(requester, rest, from));
  }

  private async somePage(
    requester: Reader,
    limit: number,
    after: ListPosition | undefined,
  ): Promise<Page<DriftedState, ListPosition>> {
    const found = (await this.states.drifted(requester.accountId, limit + 1, after)).filter(hasDrifted);
    const some = found.slice(0, limit);
    const names = await this.domains.names(
      requester,
      some.map(({ domainId }) => domainId),
    );
    const last = found.length > limit ? some.at(-1) : undefined;
    const next = last && { createdAt: last.driftedAt, id: last.domainId };
    return { items: some.filter(({ domainId }) => names.has(domainId)), next };
  }
}

function hasDrifted(state: StoredState): state is DriftedState {
  return state.driftedAt !== null;
}
