import { IsObject, IsString } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { ApplyTemplate } from '../../../../application/dns/templates/apply-template';
import { EditTemplates } from '../../../../application/dns/templates/edit-templates';
import { TemplateLibrary } from '../../../../application/dns/templates/template-library';
import {
  toRecordTemplate,
  type TemplateValues,
  type AccountTemplate,
  type TemplateText,
  type RecordTemplate,
} from '../../../../domain/dns/templates/record-template';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { Optional, assertNoMembers, validated } from '../../validated';
import { changeZone, zoneRequest, importReport, writtenChange, zonePlan } from './zone-changes';

class TemplateBody {
  @IsString() name!: string;
  @Optional() @IsString() description?: string;
  @IsString() records!: string;
}

class ApplyTemplateBody {
  @IsString() template!: string;
  @Optional() @IsObject() values?: Record<string, unknown>;
}

const MAX_VALUES = 100;

/** @throws ValidationError */
export function toTemplateValues(values: Record<string, unknown> = {}, path = 'values'): TemplateValues {
  const entries = Object.entries(values);
  if (entries.length > MAX_VALUES) throw ValidationError.of(path, `must have at most ${MAX_VALUES} members`);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string') throw ValidationError.of(`${path}.${name.slice(0, 40)}`, 'must be a string');
      return [name, value];
    }),
  );
}

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

function recordTemplate({ id, name, description, source, variables, records }: RecordTemplate): object {
  return {
    id,
    name,
    description,
    built_in: source !== null,
    source,
    variables: variables.map(({ name: variable, label, hint, isOptional = false }) => ({
      name: variable,
      label,
      hint: hint ?? null,
      required: !isOptional,
    })),
    records,
  };
}

function accountTemplate(template: AccountTemplate): object {
  return recordTemplate(toRecordTemplate(template));
}
