import type { Request } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { FindCreatedKeys } from '../../../application/access/api-keys/find-created-keys';
import { IssueApiKey } from '../../../application/access/api-keys/issue-api-key';
import { RevokeApiKey } from '../../../application/access/api-keys/revoke-api-key';
import { ApiKeyReader, type ApiKeyFilter } from '../../../application/ports/access/accounts-and-api-keys';
import type { ListPosition } from '../../../application/ports/storage/page';
import { Clock } from '../../../application/ports/system';
import { actorOfKey, type ApiKey, DEFAULT_SCOPE, isScope, SCOPES, type Scope } from '../../../domain/access/api-key';
import { ApiKeyNotFound } from '../../../domain/access/access-errors';
import { addDays } from '../../../domain/shared/time/calendar';
import { ValidationError } from '../../../domain/shared/validation-error';
import { ActorDirectory } from '../activity/actor-names';
import { attempt, type FormIssues } from '../form-issues';
import { buildUrl } from '../build-url';
import { readField, readOptionalField, readParameter } from '../form-fields';
import { formatCursor, loadListPage, parseCursor, type ListPage } from '../list-page';
import { DashboardSettings } from '../dashboard-settings';
import type { FormValues } from '../layout/forms/forms';
import { setFlash } from '../flash';
import { Reauthentication } from '../reauthentication/reauthentication';
import { PageRenderer } from '../page-renderer';
import { describeUnusedParameters } from '../unused-parameters';
import { serviceUrl } from '../service-url';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { ApiKeysPage, InactiveKeysPage } from './api-keys-page';
import { NewKeyForm, WHOLE_ACCOUNT } from './new-key-form';
import { NewKeyPage } from './new-key-page';
import { ProgramKeyPage } from './program-key-page';
import { ProgramKeys } from './program-keys';
import { redirect } from '../redirect';

const PAGE_SIZE = 50;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const EMPTY_FORM: FormValues = {
  purpose: 'certificates',
  domain: '',
  record: '',
  name: '',
  scope: 'READ',
  expires_at: '',
};
const PROGRAM_FIELDS = { fields: ['name', 'domain', 'purpose', 'record'] };

@injectable()
export class ApiKeyPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(IssueApiKey) private readonly issueApiKey: IssueApiKey,
    @inject(ProgramKeys) private readonly programKeys: ProgramKeys,
    @inject(RevokeApiKey) private readonly revokeApiKey: RevokeApiKey,
    @inject(FindCreatedKeys) private readonly findCreatedKeys: FindCreatedKeys,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
    @inject(Clock) private readonly clock: Clock,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/api-keys', 'read', this.list.bind(this), { everyDomain: true }],
      ['get', '/api-keys/inactive', 'read', this.listInactive.bind(this), { everyDomain: true }],
      ['get', '/api-keys/new', 'owner', this.showForm.bind(this)],
      ['post', '/api-keys', 'owner', this.create.bind(this), { before: this.reauthentication.require() }],
      ['post', '/api-keys/:keyId/rotate', 'owner', this.rotate.bind(this), { before: this.reauthentication.require() }],
      ['post', '/api-keys/:keyId/revoke', 'owner', this.revoke.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const now = this.clock.now();
    const [page, names, inactive] = await Promise.all([
      this.loadPage(req, res, { activeAt: now }),
      this.actors.of(getRequester(res)),
      this.keys.page(res.locals.userSession.accountId, { inactiveAt: now }, 1),
    ]);
    this.renderer.render(
      req,
      res,
      { title: 'API keys', section: 'api-keys', warning: describeListWarning(req) },
      <ApiKeysPage page={page} names={names} hasInactive={inactive.length > 0} />,
    );
  }

  private async listInactive(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [page, names] = await Promise.all([
      this.loadPage(req, res, { inactiveAt: this.clock.now() }),
      this.actors.of(getRequester(res)),
    ]);
    this.renderer.render(
      req,
      res,
      { title: 'Revoked and expired API keys', section: 'api-keys', warning: describeListWarning(req) },
      <InactiveKeysPage page={page} names={names} />,
    );
  }

  /** A request without a purpose is for the whole account. */
  private async create(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const purpose = readField(req, 'purpose');
    const values = {
      purpose: purpose === '' ? WHOLE_ACCOUNT : purpose,
      domain: readField(req, 'domain'),
      record: readField(req, 'record'),
      name: readField(req, 'name'),
      scope: readField(req, 'scope'),
      expires_at: readField(req, 'expires_at'),
      propose: readField(req, 'propose'),
    };
    if (values.purpose !== WHOLE_ACCOUNT) return this.createForProgram(req, res, values);
    const outcome = await attempt(() =>
      this.issueApiKey.execute({
        ...getRequester(res),
        name: values.name,
        scope: parseScope(readOptionalField(req, 'scope')),
        ...(values.propose === 'on' && { limits: { propose: true } }),
        expiresAt: parseExpiry(readOptionalField(req, 'expires_at')),
      }),
    );
    if ('issues' in outcome) return this.showForm(req, res, values, outcome.issues);
    this.showSecret(req, res, outcome.result);
  }

  private async createForProgram(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues & Parameters<ProgramKeys['issue']>[2],
  ): Promise<void> {
    const outcome = await attempt(() => this.programKeys.issue(req, getRequester(res), values), PROGRAM_FIELDS);
    if ('issues' in outcome) return this.showForm(req, res, values, outcome.issues);
    const { key, ...shown } = outcome.result;
    this.renderer.render(
      req,
      res,
      { title: 'Your new key', section: 'api-keys' },
      <ProgramKeyPage name={key.toState().name} hasServer={this.settings.updates !== undefined} {...shown} />,
    );
  }

  /** Creates a key with the name, scope, limits and lifetime of the old one, which keeps working until it is revoked. */
  private async rotate(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const old = await this.find(req, res);
    if (old.isTsigKey) throw new ApiKeyNotFound();
    const { name, scope, limits } = old.toState();
    const outcome = await attempt(() =>
      this.issueApiKey.execute({
        ...getRequester(res),
        name,
        scope,
        ...(limits && { limits }),
        expiresAt: old.rotatedKeyExpiry(this.clock.now()),
        limits: limits ?? undefined,
      }),
    );
    if (!('issues' in outcome)) return this.showSecret(req, res, outcome.result, old);
    setFlash(req, { kind: 'warning', text: outcome.issues.message ?? 'The API key could not be rotated. Try again.' });
    redirect(res, '/api-keys');
  }

  private async revoke(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const key = await this.revokeApiKey.execute({ ...requester, keyId: req.params['keyId'] ?? '' });
    const { accountId } = requester;
    const created = await this.findCreatedKeys.execute({ accountId, creator: actorOfKey(key.toState()) });
    setFlash(req, {
      kind: 'success',
      text: `The API key “${key.toState().name}” is revoked. Requests with it are refused from now on.${describeCreatedKeys(created.length)}`,
    });
    redirect(res, '/api-keys');
  }

  private loadPage(req: DashboardRequest, res: DashboardResponse, filter: ApiKeyFilter): Promise<ListPage<ApiKey>> {
    return loadListPage({
      size: PAGE_SIZE,
      cursor: parseCursor(readParameter(req, 'before')),
      load: (limit, before) => this.keys.page(res.locals.userSession.accountId, filter, limit, before),
      url: (last?: ApiKey) => buildUrl(req.path, { before: last && formatCursor(getPosition(last)) }),
    });
  }

  private async find(req: Request<Record<string, string>>, res: DashboardResponse): Promise<ApiKey> {
    const key = await this.keys.find(req.params['keyId'] ?? '');
    if (key?.toState().accountId !== res.locals.userSession.accountId) throw new ApiKeyNotFound();
    return key;
  }

  private showForm(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues = EMPTY_FORM,
    issues?: FormIssues,
  ): void {
    this.renderer.render(
      req,
      res,
      { title: 'New key', section: 'api-keys', issues },
      <NewKeyForm presets={this.programKeys.presets} values={values} issues={issues} />,
    );
  }

  private showSecret(
    req: DashboardRequest,
    res: DashboardResponse,
    { key, text }: { key: ApiKey; text: string },
    replaces?: ApiKey,
  ): void {
    const url = serviceUrl(req, this.settings);
    this.renderer.render(
      req,
      res,
      { title: 'Your new API key', section: 'api-keys' },
      <NewKeyPage
        apiKey={key.toState()}
        text={text}
        url={url}
        apis={this.settings.compatibilityApis}
        replaces={replaces?.toState()}
      />,
    );
  }
}

/** A key that creates keys for programs can be rotated without ending them, so its revocation revokes none. */
function describeCreatedKeys(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? ' An API key that was created with it still works. Revoke it, too, if this one has leaked.'
    : ` ${count} API keys that were created with it still work. Revoke them, too, if this one has leaked.`;
}

function describeListWarning(req: DashboardRequest): string | undefined {
  return describeUnusedParameters(req, { before: parseCursor(readParameter(req, 'before')) !== undefined });
}

function getPosition(key: ApiKey): ListPosition {
  const { createdAt, keyId } = key.toState();
  return { createdAt, id: keyId };
}

/** A request without a scope gets the default scope, as the API specifies. The form always sends one. */
function parseScope(text: string | undefined): Scope {
  if (text === undefined) return DEFAULT_SCOPE;
  if (!isScope(text)) throw ValidationError.of('scope', `must be one of ${SCOPES.join(', ')}`);
  return text;
}

/** A key works until the end of its last day, in UTC. */
function parseExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = new Date(DATE.test(text) ? `${text}T00:00:00Z` : Number.NaN);
  if (Number.isNaN(day.getTime())) throw ValidationError.of('expires_at', 'must be a date such as 2030-12-31');
  return addDays(day, 1);
}
