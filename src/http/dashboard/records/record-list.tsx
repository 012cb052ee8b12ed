import { inject, injectable } from '../../../application/ports/inject';
import { withAliases } from '../../../application/dns/records/list-records';
import { RecordReader } from '../../../application/ports/dns/zone-queries';
import { ReadZoneHistory } from '../../../application/dns/zones/history/read-zone-history';
import { AliasReader } from '../../../application/ports/dns/alias-repository';
import { RecordQueries, type NamedPosition } from '../../../application/ports/dns/zone-queries';
import { FindDomain } from '../../../application/registration/find-domain';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { isNamedType, typesOf } from '../../../domain/dns/records/types/record-types';
import { ActorDirectory } from '../activity/actor-names';
import { buildUrl } from '../build-url';
import { getRequester, type DashboardRequest, type DashboardResponse } from '../dashboard-route';
import { DashboardSettings } from '../dashboard-settings';
import { findDomainOf } from '../layout/domain/domain-request';
import { displayName } from '../layout/domain/domain-labels';
import { readParameter } from '../form-fields';
import { loadListPage } from '../list-page';
import { PageRenderer } from '../page-renderer';
import { describeUnusedParameters } from '../unused-parameters';
import { toFormValues } from './record-form';
import { RecordsPage, type RecordsPageProps } from './records-page';

const PAGE_SIZE = 200;
export const CHANGED_SINCE =
  'The record has changed since this form showed it, and nothing was saved. Saving now replaces what is stored.';
export const REMOVED_SINCE = 'The record no longer exists: it was removed since the page was loaded.';

/** The list of a domain's records, with the form of the record that is added or edited. */
@injectable()
export class RecordList {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(RecordQueries) private readonly recordQueries: RecordQueries,
    @inject(RecordReader) private readonly zones: Pick<RecordReader, 'find'>,
    @inject(AliasReader) private readonly aliases: AliasReader,
    @inject(ReadZoneHistory) private readonly history: ReadZoneHistory,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  /** With the form of the record that the query names to edit or duplicate, or without it if that no longer exists. */
  async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const edited = readParameter(req, 'edit');
    const id = edited === '' ? readParameter(req, 'duplicate') : edited;
    if (id === '') return this.render(req, res, { added: req.session.flash?.added });
    const domain = await findDomainOf(req, res, this.findDomain);
    const record = await this.recordQueries.find(domain.id, id);
    if (!record) return this.render(req, res, {}, REMOVED_SINCE);
    const values = toFormValues(record);
    await this.render(req, res, edited === '' ? { adding: { values } } : { editing: { id, values } });
  }

  async render(
    req: DashboardRequest,
    res: DashboardResponse,
    forms: Pick<RecordsPageProps, 'added' | 'adding' | 'editing'>,
    missing?: string,
  ): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const types = typesOf(domain.name, this.settings.recordTypes);
    const type = types.filter((each) => isNamedType(each)).find((each) => each === readParameter(req, 'type'));
    const query = { search: readParameter(req, 'q').trim(), type: type ?? '' };
    const search = { type, contains: query.search === '' ? undefined : query.search };
    const cursor = parseCursor(readParameter(req, 'after'));
    const page = await loadListPage({
      size: PAGE_SIZE,
      cursor,
      load: (limit, after) => this.recordQueries.page(domain.id, search, limit, after),
      url: (last?: NamedPosition) =>
        buildUrl(`/domains/${domain.id}/records`, {
          q: query.search,
          type: query.type,
          after: last && `${last.id}:${last.name}`,
        }),
    });
    const records = await this.includeEdited(domain.id, page.items, forms.editing?.id);
    const [items, lastChanges, names, zone] = await Promise.all([
      withAliases(this.aliases, domain.id, records),
      this.history.lastChanges(getRequester(res), domain.id, records),
      this.actors.of(getRequester(res)),
      this.zones.find(domain.id),
    ]);
    const unused = describeUnusedParameters(req, {
      q: true,
      type: type !== undefined,
      after: cursor !== undefined,
      edit: true,
      duplicate: true,
    });
    const head = {
      title: `DNS records of ${displayName(domain.name)}`,
      section: 'domains',
      warning: missing ?? unused,
      issues: missing === undefined ? (forms.adding ?? forms.editing)?.issues : { status: 404 },
    } as const;
    this.renderer.render(
      req,
      res,
      head,
      <RecordsPage
        domain={domain}
        query={query}
        types={types}
        page={{ ...page, items }}
        lastChanges={lastChanges}
        names={names}
        total={zone?.recordCount}
        hasState={zone?.stateOwner !== undefined}
        {...forms}
      />,
    );
  }

  /** Adds the record that is being edited if it is on another page of the list. */
  private async includeEdited(
    domainId: string,
    records: readonly DnsRecordState[],
    id: string | undefined,
  ): Promise<readonly DnsRecordState[]> {
    if (id === undefined || records.some((record) => record.id === id)) return records;
    const edited = await this.recordQueries.find(domainId, id);
    return edited ? [edited, ...records] : records;
  }
}

function parseCursor(text: string): NamedPosition | undefined {
  const match = /^(rec_[0-9a-z]{1,36}):(.{1,253})$/.exec(text);
  return match?.[1] && match[2] ? { id: match[1], name: match[2] } : undefined;
}
