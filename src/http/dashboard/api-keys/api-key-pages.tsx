import type { Request } from 'express';
import { inject, injectable } from 'inversify';
import { IssueApiKey } from '../../../application/access/api-keys/issue-api-key';
import { RevokeApiKey } from '../../../application/access/api-keys/revoke-api-key';
import { ApiKeyReader, type ApiKeyFilter } from '../../../application/ports/access/access-repositories';
import { Clock } from '../../../application/ports/system/clock';
import type { ApiKey } from '../../../domain/access/api-key';
import { ApiKeyNotFound } from '../../../domain/access/errors';
import { DEFAULT_SCOPE, isScope, SCOPES, type Scope } from '../../../domain/access/scope';
import { addDays } from '../../../domain/shared/calendar';
import { ValidationError } from '../../../domain/shared/validation-error';
import { attempt, type FormIssues } from '../form-issues';
import { addressOf } from '../address-of';
import { field, optionalField, parameter } from '../form-fields';
import { unusedParameters } from '../list-parameters';
import { readPosition, writePosition } from '../list-position';
import { DashboardSettings } from '../dashboard-settings';
import type { FormValues } from '../layout/forms';
import { setFlash } from '../notice';
import { Reauthentication } from '../middleware/reauthentication';
import { Pages } from '../pages';
import { serviceUrl } from '../service-url';
import {
  requesterOf,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../visitor';
import { ApiKeysPage, FormerKeysPage, type KeyListProps } from './api-keys-page';
import { NewKeyForm } from './new-key-form';
import { NewKeyPage } from './new-key-page';
import { seeOther } from '../see-other';

const PAGE_SIZE = 50;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const NEW_KEY: FormValues = { name: '', scope: 'READ', expires_at: '' };

@injectable()
export class ApiKeyPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(IssueApiKey) private readonly issueApiKey: IssueApiKey,
    @inject(RevokeApiKey) private readonly revokeApiKey: RevokeApiKey,
    @inject(Clock) private readonly clock: Clock,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/api-keys', 'member', this.list.bind(this)],
      ['get', '/api-keys/former', 'member', this.listFormer.bind(this)],
      ['get', '/api-keys/new', 'owner', this.form.bind(this)],
      ['post', '/api-keys', 'owner', this.reauthentication.before(this.create.bind(this))],
      ['post', '/api-keys/:keyId/rotate', 'owner', this.reauthentication.before(this.rotate.bind(this))],
      ['post', '/api-keys/:keyId/revoke', 'owner', this.revoke.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const now = this.clock.now();
    const [page, former] = await Promise.all([
      this.page(req, res, { activeAt: now }),
      this.keys.page(res.locals.visitor.accountId, { inactiveAt: now }, 1),
    ]);
    this.pages.send(
      req,
      res,
      { title: 'API keys', section: 'api-keys', warning: keyListWarning(req) },
      <ApiKeysPage {...page} hasFormer={former.length > 0} />,
    );
  }

  private async listFormer(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const page = await this.page(req, res, { inactiveAt: this.clock.now() });
    this.pages.send(
      req,
      res,
      { title: 'Revoked and expired API keys', section: 'api-keys', warning: keyListWarning(req) },
      <FormerKeysPage {...page} />,
    );
  }

  private async create(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = { name: field(req, 'name'), scope: field(req, 'scope'), expires_at: field(req, 'expires_at') };
    const outcome = await attempt(() =>
      this.issueApiKey.execute({
        ...requesterOf(res),
        name: values.name,
        scope: scopeOf(optionalField(req, 'scope')),
        expiresAt: expiryOf(optionalField(req, 'expires_at')),
      }),
    );
    if ('issues' in outcome) return this.form(req, res, values, outcome.issues);
    this.showOnce(req, res, outcome.result);
  }

  /** The first half of a rotation: a key like the old one, for as long as that was for; the old one works on until it is revoked. */
  private async rotate(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const old = await this.find(req, res);
    const { name, scope } = old.toState();
    const outcome = await attempt(() =>
      this.issueApiKey.execute({
        ...requesterOf(res),
        name,
        scope,
        expiresAt: old.rotatedKeyExpiry(this.clock.now()),
      }),
    );
    if (!('issues' in outcome)) return this.showOnce(req, res, outcome.result, old);
    setFlash(req, { kind: 'warning', text: outcome.issues.message ?? 'The key could not be rotated.' });
    seeOther(res, '/api-keys');
  }

  private async revoke(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const key = await this.revokeApiKey.execute({ ...requesterOf(res), keyId: req.params['keyId'] ?? '' });
    setFlash(req, { kind: 'done', text: `The key “${key.toState().name}” is revoked: it opens nothing any more.` });
    seeOther(res, '/api-keys');
  }

  private async page(req: DashboardRequest, res: DashboardResponse, filter: ApiKeyFilter): Promise<KeyListProps> {
    const before = readPosition(parameter(req, 'before'));
    const found = await this.keys.page(res.locals.visitor.accountId, filter, PAGE_SIZE + 1, before);
    const keys = found.slice(0, PAGE_SIZE);
    const last = found.length > PAGE_SIZE ? keys.at(-1)?.toState() : undefined;
    return {
      keys,
      older: last && addressOf(req.path, { before: writePosition({ createdAt: last.createdAt, id: last.keyId }) }),
      first: before && req.path,
    };
  }

  private async find(req: Request<Record<string, string>>, res: DashboardResponse): Promise<ApiKey> {
    const key = await this.keys.find(req.params['keyId'] ?? '');
    if (key?.toState().accountId !== res.locals.visitor.accountId) throw new ApiKeyNotFound();
    return key;
  }

  private form(req: DashboardRequest, res: DashboardResponse, values: FormValues = NEW_KEY, issues?: FormIssues): void {
    this.pages.send(
      req,
      res,
      { title: 'New API key', section: 'api-keys', issues },
      <NewKeyForm values={values} issues={issues} />,
    );
  }

  private showOnce(
    req: DashboardRequest,
    res: DashboardResponse,
    { key, text }: { key: ApiKey; text: string },
    replaces?: ApiKey,
  ): void {
    const url = serviceUrl(req, this.settings);
    this.pages.send(
      req,
      res,
      { title: 'Your new API key', section: 'api-keys' },
      <NewKeyPage apiKey={key.toState()} text={text} url={url} replaces={replaces?.toState()} />,
    );
  }
}

function keyListWarning(req: DashboardRequest): string | undefined {
  return unusedParameters(req, { before: readPosition(parameter(req, 'before')) !== undefined });
}

/** A request that names no scope means the default, as the specification says; the form names one. */
function scopeOf(text: string | undefined): Scope {
  if (text === undefined) return DEFAULT_SCOPE;
  if (!isScope(text)) throw ValidationError.of('scope', `must be one of ${SCOPES.join(', ')}`);
  return text;
}

/** A key is good until the end of its last day, in UTC. */
function expiryOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = new Date(DATE.test(text) ? `${text}T00:00:00Z` : Number.NaN);
  if (Number.isNaN(day.getTime())) throw ValidationError.of('expires_at', 'must be a date such as 2030-12-31');
  return addDays(day, 1);
}
