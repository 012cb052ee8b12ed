import { ExportZoneFile } from '../../../../application/dns/zones/zone-files/export-zone-file';
import {
  IMPORT_MODES,
  ImportZoneFile,
  type ImportMode,
} from '../../../../application/dns/zones/zone-files/import-zone-file';
import { ReadZoneHistory } from '../../../../application/dns/zones/history/read-zone-history';
import { RollBackZone } from '../../../../application/dns/zones/history/roll-back-zone';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { pageResult, versionsRequest } from '../../list-query';
import { assertNoMembers, parameter } from '../../validated';
import {
  versionNumber,
  zoneRequest,
  changeZone,
  zoneVersionHeaders,
  formerZone,
  importReport,
  warningsMember,
  writtenChange,
  zonePlan,
  zoneVersion,
  resolution,
} from './zone-changes';
import { inject, injectable } from '../../../../application/ports/inject';
import { ReadPublication, type PublicationReport } from '../../../../application/dns/publishing/read-publication';
import { serialOf } from '../../../../domain/dns/zone-serial';

/** Zone files, and the history of a zone. */
@injectable()
export class ZoneController {
  constructor(
    @inject(ExportZoneFile) private readonly exportZoneFile: ExportZoneFile,
    @inject(ImportZoneFile) private readonly importZoneFile: ImportZoneFile,
    @inject(ReadZoneHistory) private readonly history: ReadZoneHistory,
    @inject(RollBackZone) private readonly rollBackZone: RollBackZone,
  ) {}

  async exportFile({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    const { zoneVersion: version, text } = await this.exportZoneFile.execute(caller, params.id);
    return { headers: zoneVersionHeaders(version), stream: { pieces: text, mediaType: 'text/dns; charset=utf-8' } };
  }

  async importFile(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { body } = request;
    if (typeof body !== 'string') throw ValidationError.of('', 'The body must be a zone file');
    const command = {
      ...zoneRequest(request),
      text: body,
      mode: importMode(request),
      withProviderRecords: includesProviderRecords(request),
    };
    return changeZone(request, this.importZoneFile, command, {
      written: ({ result, zoneVersion: version, warnings }) => ({
        ...writtenChange(result.change, version),
        ...importReport(result),
        ...warningsMember([...result.warnings, ...warnings]),
      }),
      planned: (plan) => ({ ...zonePlan(plan), ...importReport(plan.result) }),
    });
  }

  async versions(request: ApiRequest<'id'>): Promise<ApiResult> {
    const { limit, before } = versionsRequest(request);
    const query = { limit, before, recordId: parameter(request, 'record') };
    const { versions, next } = await this.history.page(request.caller, request.params.id, query);
    return pageResult(
      { request, filters: ['record'], items: versions, last: next, limit, cursorOf: String },
      zoneVersion,
    );
  }

  async version({ caller, params }: ApiRequest<'id' | 'version'>): Promise<ApiResult> {
    const version = versionNumber('version', params.version);
    return ok(formerZone(await this.history.version(caller, params.id, version)));
  }

  async restore(request: WriteRequest<'id' | 'version'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    const command = { ...zoneRequest(request), version: versionNumber('version', request.params.version) };
    return changeZone(request, this.rollBackZone, command, {
      written: ({ result, zoneVersion }) => writtenChange(result, zoneVersion),
    });
  }
}

/** @throws ValidationError */
function includesProviderRecords(request: Pick<ApiRequest, 'query'>): boolean {
  const value = parameter(request, 'provider_records') ?? 'skip';
  if (value !== 'skip' && value !== 'include') throw ValidationError.of('provider_records', 'must be skip or include');
  return value === 'include';
}

/** @throws ValidationError */
function importMode(request: Pick<ApiRequest, 'query'>): ImportMode {
  const value = parameter(request, 'mode') ?? 'replace';
  const mode = IMPORT_MODES.find((each) => each === value);
  if (!mode) throw ValidationError.of('mode', `must be ${IMPORT_MODES.join(' or ')}`);
  return mode;
}

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
