import { IsArray, IsString } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { EditWebhooks, type WebhookWithSecret } from '../../../../application/webhooks/edit-webhooks';
import { ReadWebhooks } from '../../../../application/webhooks/read-webhooks';
import { ResendDelivery } from '../../../../application/webhooks/resend-delivery';
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from '../../../../domain/access/webhooks/delivery';
import type { GivenSettings, Webhook } from '../../../../domain/access/webhooks/webhook';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { DEFAULT_LIMIT, pageRequest, pageResult, positionCursor } from '../../list-query';
import { assertNoMembers, Nullable, Optional, parameter, validated } from '../../validated';

class WebhookBody {
  @IsString() url!: string;
  @Optional() @IsString() description?: string;
  @Nullable() @IsArray() @IsString({ each: true }) types?: string[] | null;
  @Nullable() @IsArray() @IsString({ each: true }) domains?: string[] | null;
  @Nullable() @IsArray() @IsString({ each: true }) tags?: string[] | null;
}

/** Webhooks and their deliveries. */
@injectable()
export class WebhooksController {
  constructor(
    @inject(EditWebhooks) private readonly edit: EditWebhooks,
    @inject(ReadWebhooks) private readonly webhooks: ReadWebhooks,
    @inject(ResendDelivery) private readonly resendDelivery: ResendDelivery,
  ) {}

  async list({ caller }: ApiRequest): Promise<ApiResult> {
    return ok((await this.webhooks.list(caller)).map(shownWebhook));
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(shownWebhook(await this.webhooks.find(caller, params.id)));
  }

  async create(request: WriteRequest): Promise<JsonResult> {
    return created(await this.edit.create(request.caller, settingsOf(request.body), request.storing(created)));
  }

  async change(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { caller, params, body } = request;
    return changed(await this.edit.change(caller, params.id, settingsOf(body), request.storing(changed)));
  }

  async remove(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    return removed(await this.edit.remove(request.caller, request.params.id, request.storing(removed)));
  }

  async rotateSecret(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    return rotated(await this.edit.rotateSecret(request.caller, request.params.id, request.storing(rotated)));
  }

  async pause(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    return changed(await this.edit.pause(request.caller, request.params.id, request.storing(changed)));
  }

  async resume(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    return changed(await this.edit.resume(request.caller, request.params.id, request.storing(changed)));
  }

  async test(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    return changed(await this.edit.test(request.caller, request.params.id, request.storing(changed)));
  }

  async deliveries(request: ApiRequest<'id'>): Promise<ApiResult> {
    const { limit, after } = pageRequest(request) ?? { limit: DEFAULT_LIMIT };
    const status = statusOf(request);
    const query = { ...request.caller, webhookId: request.params.id, status, limit, after };
    const { items, next } = await this.webhooks.deliveries(query);
    return pageResult(
      { request, filters: ['status'], items, last: next, limit, cursorOf: positionCursor },
      shownDelivery,
    );
  }

  async resend(request: WriteRequest<'id' | 'deliveryId'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    const { id: webhookId, deliveryId } = request.params;
    return resent(
      await this.resendDelivery.execute({ ...request.caller, webhookId, deliveryId }, request.storing(resent)),
    );
  }
}

function settingsOf(body: unknown): GivenSettings {
  const { url, description, types, domains, tags } = validated(WebhookBody, body);
  return { url, description, types, domains, tags };
}

/** @throws ValidationError */
function statusOf(request: ApiRequest<'id'>): DeliveryStatus | undefined {
  const text = parameter(request, 'status');
  const status = DELIVERY_STATUSES.find((each) => each === text);
  if (text !== undefined && !status) throw ValidationError.of('status', `must be ${DELIVERY_STATUSES.join(', ')}`);
  return status;
}

function created(webhook: WebhookWithSecret): JsonResult {
  return { ...rotated(webhook), status: 201 };
}

/** Once: the secret is stored sealed, and is not shown again. */
function rotated({ webhook, secret }: WebhookWithSecret): JsonResult {
  return ok({ ...shownWebhook(webhook), secret });
}

function changed(webhook: Webhook): JsonResult {
  return ok(shownWebhook(webhook));
}

function removed({ id }: Webhook): JsonResult {
  return ok({ id, deleted: true });
}

function resent(delivery: Delivery): JsonResult {
  return ok(shownDelivery(delivery));
}

function shownWebhook(webhook: Webhook): object {
  const { id, url, description, types, domains, tags, status, reason, createdAt, updatedAt } = webhook;
  return {
    id,
    url,
    description,
    types,
    domains,
    tags,
    status,
    reason,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    held_until: webhook.heldUntil?.toISOString() ?? null,
    former_secret_until: webhook.formerSecret?.until.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function shownDelivery(delivery: Delivery): object {
  const { id, eventId, type, domainName, status, attempts, dueAt, attemptedAt, result } = delivery;
  const response = result && 'status' in result ? { status: result.status, body: result.body } : null;
  return {
    id,
    event_id: eventId,
    type,
    domain: domainName,
    status,
    attempts,
    response,
    error: result && 'error' in result ? result.error : null,
    duration_ms: result?.ms ?? null,
    created_at: delivery.createdAt.toISOString(),
    attempted_at: attemptedAt?.toISOString() ?? null,
    next_attempt_at: dueAt?.toISOString() ?? null,
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  };
}
