import { inject, injectable } from '../../../application/ports/inject';
import { FindImport } from '../../../application/registrar/imports/find-import';
import { StartImport } from '../../../application/registrar/imports/start-import';
import type { NameImport } from '../../../domain/registrar/name-import';
import { ok, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { ImportBody } from '../dto/import-bodies';
import { validated } from '../dto/validated';
import { shownImport, startedImport } from '../presenters/import-presenter';

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
