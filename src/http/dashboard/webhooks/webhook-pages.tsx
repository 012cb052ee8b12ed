import { inject, injectable } from '../../../application/ports/inject';
import { EditWebhooks, type WebhookWithSecret } from '../../../application/webhooks/edit-webhooks';
import { ReadWebhooks } from '../../../application/webhooks/read-webhooks';
import { ResendDelivery } from '../../../application/webhooks/resend-delivery';
import { hostOf, type GivenSettings, type Webhook } from '../../../domain/access/webhooks/webhook';
import { buildUrl } from '../build-url';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { readField, readParameter } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import type { FormValues } from '../layout/forms/forms';
import { formatCursor, loadListPage, parseCursor } from '../list-page';
import { PageRenderer } from '../page-renderer';
import { Reauthentication } from '../reauthentication/reauthentication';
import { redirect } from '../redirect';
import { describeUnusedParameters } from '../unused-parameters';
import { WebhookFormPage } from './webhook-form-page';
import { WebhookPage } from './webhook-page';
import { WebhookSecretPage } from './webhook-secret-page';
import { WebhooksPage } from './webhooks-page';

const PAGE_SIZE = 50;
const FIELDS = ['url', 'description', 'types', 'domains', 'tags'] as const;
/** After words of a list: line breaks, commas and spaces. */
const SEPARATORS = /[\s,]+/;

/** Webhooks and their deliveries, for the owners of the account. */
@injectable()
export class WebhookPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(ReadWebhooks) private readonly webhooks: ReadWebhooks,
    @inject(EditWebhooks) private readonly edit: EditWebhooks,
    @inject(ResendDelivery) private readonly resendDelivery: ResendDelivery,
  ) {}

  get routes(): readonly DashboardRoute[] {
    const before = this.reauthentication.require();
    return [
      ['get', '/webhooks', 'owner', this.list.bind(this)],
      ['get', '/webhooks/new', 'owner', this.showNew.bind(this)],
      ['post', '/webhooks', 'owner', this.create.bind(this), { before }],
      ['get', '/webhooks/:webhookId', 'owner', this.show.bind(this)],
      ['get', '/webhooks/:webhookId/settings', 'owner', this.showSettings.bind(this)],
      ['post', '/webhooks/:webhookId/settings', 'owner', this.change.bind(this), { before }],
      ['post', '/webhooks/:webhookId/rotate', 'owner', this.rotate.bind(this), { before }],
      ['post', '/webhooks/:webhookId/test', 'owner', this.test.bind(this)],
      ['post', '/webhooks/:webhookId/pause', 'owner', this.pause.bind(this)],
      ['post', '/webhooks/:webhookId/resume', 'owner', this.resume.bind(this)],
      ['post', '/webhooks/:webhookId/delete', 'owner', this.remove.bind(this)],
      ['post', '/webhooks/:webhookId/deliveries/:deliveryId/resend', 'owner', this.resend.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const webhooks = await this.webhooks.list(getRequester(res));
    this.renderer.render(req, res, { title: 'Webhooks', section: 'webhooks' }, <WebhooksPage webhooks={webhooks} />);
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const webhook = await this.webhooks.find(getRequester(res), webhookId(req));
    const cursor = parseCursor(readParameter(req, 'before'));
    const page = await loadListPage({
      size: PAGE_SIZE,
      cursor,
      load: async (limit, after) =>
        (await this.webhooks.deliveries({ ...getRequester(res), webhookId: webhook.id, limit, after })).items,
      url: (last) => buildUrl(`/webhooks/${webhook.id}`, { before: last && formatCursor(last) }),
    });
    this.renderer.render(
      req,
      res,
      {
        title: `Webhook to ${hostOf(webhook)}`,
        section: 'webhooks',
        warning: describeUnusedParameters(req, { before: cursor !== undefined }),
      },
      <WebhookPage webhook={webhook} page={page} />,
    );
  }

  private showNew(req: DashboardRequest, res: DashboardResponse): void {
    this.renderForm(req, res, undefined, {});
  }

  private async showSettings(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const webhook = await this.webhooks.find(getRequester(res), webhookId(req));
    this.renderForm(req, res, webhook.id, formValuesOf(webhook));
  }

  private async create(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attemptForm(() => this.edit.create(getRequester(res), readSettings(req)));
    if ('issues' in outcome) return this.renderForm(req, res, undefined, readValues(req), outcome.issues);
    this.showSecret(req, res, outcome.result, 'Your new webhook');
  }

  private async change(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const id = webhookId(req);
    const outcome = await attemptForm(() => this.edit.change(getRequester(res), id, readSettings(req)));
    if ('issues' in outcome) return this.renderForm(req, res, id, readValues(req), outcome.issues);
    this.finish(req, res, outcome.result, 'Saved the webhook.');
  }

  private async rotate(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const rotated = await this.edit.rotateSecret(getRequester(res), webhookId(req));
    this.showSecret(req, res, rotated, 'The new secret');
  }

  private async test(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.edit.test(getRequester(res), webhookId(req)));
    if ('issues' in outcome) return this.refuse(req, res, outcome.issues);
    this.finish(req, res, outcome.result, 'A test event is on its way. Reload the page to see its delivery.');
  }

  private async pause(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.edit.pause(getRequester(res), webhookId(req)));
    if ('issues' in outcome) return this.refuse(req, res, outcome.issues);
    this.finish(req, res, outcome.result, 'Paused the webhook. Its events wait until you resume it.');
  }

  private async resume(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const webhook = await this.edit.resume(getRequester(res), webhookId(req));
    this.finish(req, res, webhook, 'Resumed the webhook. It gets the events that have waited.');
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const webhook = await this.edit.remove(getRequester(res), webhookId(req));
    setFlash(req, { kind: 'success', text: `Deleted the webhook to ${hostOf(webhook)}.` });
    redirect(res, '/webhooks');
  }

  private async resend(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const deliveryId = req.params['deliveryId'] ?? '';
    const command = { ...getRequester(res), webhookId: webhookId(req), deliveryId };
    const outcome = await attempt(() => this.resendDelivery.execute(command));
    if ('issues' in outcome) return this.refuse(req, res, outcome.issues);
    setFlash(req, { kind: 'success', text: 'The event is sent again. Reload the page to see the result.' });
    redirect(res, `/webhooks/${webhookId(req)}`);
  }

  private finish(req: DashboardRequest, res: DashboardResponse, { id }: Webhook, text: string): void {
    setFlash(req, { kind: 'success', text });
    redirect(res, `/webhooks/${id}`);
  }

  private refuse(req: DashboardRequest, res: DashboardResponse, { message = '' }: FormIssues): void {
    setFlash(req, { kind: 'warning', text: message });
    redirect(res, `/webhooks/${webhookId(req)}`);
  }

  private renderForm(
    req: DashboardRequest,
    res: DashboardResponse,
    id: string | undefined,
    values: FormValues,
    issues?: FormIssues,
  ): void {
    const title = id === undefined ? 'New webhook' : 'Settings of the webhook';
    this.renderer.render(
      req,
      res,
      { title, section: 'webhooks', issues },
      <WebhookFormPage title={title} id={id} values={values} issues={issues} />,
    );
  }

  private showSecret(
    req: DashboardRequest,
    res: DashboardResponse,
    { webhook, secret }: WebhookWithSecret,
    title: string,
  ): void {
    this.renderer.render(
      req,
      res,
      { title, section: 'webhooks' },
      <WebhookSecretPage title={title} webhook={webhook} secret={secret} />,
    );
  }
}

function webhookId(req: DashboardRequest): string {
  return req.params['webhookId'] ?? '';
}

function readValues(req: DashboardRequest): FormValues {
  return Object.fromEntries(FIELDS.map((name) => [name, readField(req, name)]));
}

function readSettings(req: DashboardRequest): GivenSettings {
  const list = (name: string) =>
    readField(req, name)
      .split(SEPARATORS)
      .filter((word) => word !== '');
  return {
    url: readField(req, 'url').trim(),
    description: readField(req, 'description'),
    types: list('types'),
    domains: list('domains'),
    tags: list('tags'),
  };
}

function formValuesOf({ url, description, types, domains, tags }: Webhook): FormValues {
  return {
    url,
    description,
    types: types?.join('\n'),
    domains: domains?.join('\n'),
    tags: tags?.join('\n'),
  };
}

/** An issue of an entry of a list is shown at the list. */
async function attemptForm<T>(work: () => Promise<T>): ReturnType<typeof attempt<T>> {
  const outcome = await attempt(work);
  if (!('issues' in outcome)) return outcome;
  const fields = [...outcome.issues.fields].map(
    ([field, message]) => [field.replace(/\[\d+\]$/, ''), message] as const,
  );
  return { issues: { ...outcome.issues, fields: new Map(fields) } };
}
