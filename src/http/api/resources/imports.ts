import { IsArray, IsString } from 'class-validator';
import { inject, injectable } from '../../../application/ports/inject';
import { FindImport, type ImportReport } from '../../../application/registrar/imports/find-import';
import { StartImport } from '../../../application/registrar/imports/start-import';
import type { NameImport } from '../../../domain/registrar/name-import';
import { ok, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { Optional, validated } from '../validated';

class ImportBody {
  @IsString() registry!: string;
  @Optional() @IsArray() @IsString({ each: true }) names?: string[];
}

/** Imports of names that the operator's account at a registry holds. */
@injectable()
export class ImportsController {
  constructor(
    @inject(StartImport) private readonly startImport: StartImport,
    @inject(FindImport) private readonly findImport: FindImport,
  ) {}

  async start(request: WriteRequest): Promise<JsonResult> {
    const { registry, names } = validated(ImportBody, request.body);
    const started = (nameImport: NameImport): JsonResult => ({
      status: 202,
      headers: {},
      body: startedImport(nameImport, names ? new Set(names).size : null),
    });
    const { caller } = request;
    return started(await this.startImport.execute({ ...caller, registry, names }, request.storing(started)));
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(shownImport(await this.findImport.execute({ ...caller, importId: params.id })));
  }
}

const NOTHING_YET = { waiting: 0, imported: 0, present: 0, failed: 0 };

function shownImport({ nameImport, counts, failures }: ImportReport): object {
  const { waiting, imported, present, failed } = counts;
  return {
    ...identityOf(nameImport),
    total: nameImport.status === 'listing' ? null : waiting + imported + present + failed,
    imported,
    present,
    failed,
    failures: failures.map(({ name, reason }) => ({ name, reason: reason ?? '' })),
    error: nameImport.error,
    created_at: nameImport.createdAt.toISOString(),
    updated_at: nameImport.updatedAt.toISOString(),
    finished_at: nameImport.finishedAt?.toISOString() ?? null,
  };
}

function startedImport(nameImport: NameImport, total: number | null): object {
  const shown = shownImport({ nameImport, counts: NOTHING_YET, failures: [] });
  return { ...shown, total };
}

/** While the registry's list is read, the import is running, too. */
function identityOf({ id, registry, status }: NameImport): object {
  return { id, registry, status: status === 'listing' ? 'running' : status };
}
