import { inject, injectable } from '../../../../application/ports/inject';
import { ApplyTemplate } from '../../../../application/dns/templates/apply-template';
import { EditTemplates } from '../../../../application/dns/templates/edit-templates';
import { TemplateLibrary } from '../../../../application/dns/templates/template-library';
import type { AccountTemplate, TemplateText } from '../../../../domain/dns/templates/record-template';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { ApplyTemplateBody, TemplateBody, toTemplateValues } from '../../dto/template-bodies';
import { assertNoMembers, validated } from '../../dto/validated';
import { accountTemplate, recordTemplate } from '../../presenters/dns/template-presenter';
import { importReport, writtenChange, zonePlan } from '../../presenters/dns/zone-presenter';
import { changeZone, zoneRequest } from '../../zone-changes';

/** Record templates, and their application to a zone. */
@injectable()
export class TemplatesController {
  constructor(
    @inject(TemplateLibrary) private readonly library: TemplateLibrary,
    @inject(EditTemplates) private readonly templates: EditTemplates,
    @inject(ApplyTemplate) private readonly applyTemplate: ApplyTemplate,
  ) {}

  async list({ caller }: ApiRequest): Promise<ApiResult> {
    return ok({ data: (await this.library.list(caller)).map(recordTemplate) });
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(recordTemplate(await this.library.find(caller, params.id)));
  }

  async create(request: WriteRequest): Promise<JsonResult> {
    return created(await this.templates.create(request.caller, textOf(request.body), request.storing(created)));
  }

  async change(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { caller, params, body } = request;
    return changed(await this.templates.change(caller, params.id, textOf(body), request.storing(changed)));
  }

  async remove(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    return removed(await this.templates.remove(request.caller, request.params.id, request.storing(removed)));
  }

  async apply(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { template, values } = validated(ApplyTemplateBody, request.body);
    const command = { ...zoneRequest(request), templateId: template, values: toTemplateValues(values) };
    return changeZone(request, this.applyTemplate, command, {
      written: ({ result, zoneVersion }) => ({ ...writtenChange(result.change, zoneVersion), ...importReport(result) }),
      planned: (plan) => ({ ...zonePlan(plan), ...importReport(plan.result) }),
    });
  }
}

function textOf(body: unknown): TemplateText {
  const { name, description = '', records } = validated(TemplateBody, body);
  return { name, description, records };
}

function created(template: AccountTemplate): JsonResult {
  return { ...changed(template), status: 201 };
}

function changed(template: AccountTemplate): JsonResult {
  return ok(accountTemplate(template));
}

function removed({ id }: AccountTemplate): JsonResult {
  return ok({ id, deleted: true });
}
