import { inject, injectable } from 'inversify';
import { AuditReader } from '../../../application/ports/access/audit-log';
import { DomainQueries } from '../../../application/ports/registration/domain-queries';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { typedName } from '../../../domain/dns/records/typed-name';
import { addressOf } from '../address-of';
import { HeldDomains } from '../domains/domain-link';
import { parameter } from '../form-fields';
import { unusedParameters } from '../list-parameters';
import { readPosition, writePosition } from '../list-position';
import { Pages } from '../pages';
import type { DashboardPages, DashboardRoute, DashboardRequest, DashboardResponse } from '../visitor';
import { ActivityPage } from './activity-page';
import { ActorDirectory } from './actor-names';

const PAGE_SIZE = 50;

@injectable()
export class ActivityPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(AuditReader) private readonly audit: AuditReader,
    @inject(DomainQueries) private readonly survey: DomainQueries,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/activity', 'member', this.list.bind(this)]];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId } = res.locals.visitor;
    const names = await this.actors.of(accountId);
    const [domain, actor] = [parameter(req, 'domain').trim().toLowerCase(), parameter(req, 'actor')];
    const filter = {
      domainName: domain === '' ? undefined : nameAsKept(domain),
      actor: actor === '' ? undefined : actor,
    };
    const before = readPosition(parameter(req, 'before'));
    const found = await this.audit.page(accountId, filter, PAGE_SIZE + 1, before);
    const entries = found.slice(0, PAGE_SIZE);
    const last = found.length > PAGE_SIZE ? entries.at(-1) : undefined;
    const address = (position?: string) => addressOf('/activity', { domain, actor, before: position });
    const warning = unusedParameters(req, { domain: true, actor: true, before: before !== undefined });
    const held = await this.survey.held(accountId, mentionedDomains(entries));
    const ways = {
      older: last && address(writePosition({ createdAt: last.at, id: last.id })),
      first: before && address(),
    };
    this.pages.send(
      req,
      res,
      { title: 'Activity', section: 'activity', warning },
      <HeldDomains.Provider value={held}>
        <ActivityPage domain={domain} actor={actor} entries={entries} names={names} {...ways} />
      </HeldDomains.Provider>,
    );
  }
}

/** The ids of the domains that entries mention, each once. */
export function mentionedDomains(entries: readonly AuditEntry[]): string[] {
  return [...new Set(entries.flatMap(({ domain }) => (domain ? [domain.id] : [])))];
}

/** Domains are kept as A-labels, and people write Unicode. */
function nameAsKept(text: string): string {
  return typedName(text)?.name ?? text;
}
