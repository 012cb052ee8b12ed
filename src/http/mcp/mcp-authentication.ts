import type { Request, Response } from 'express';
import { AuthenticatePerson, TOKEN_SCOPES } from '../../application/access/identities/authenticate-person';
import { inject, injectable } from '../../application/ports/inject';
import { AccessTokenInvalid, IdentityProviders } from '../../application/ports/access/authentication';
import type { ServiceError } from '../../domain/shared/service-error';
import { ApiAuthentication, bearerOf, type Caller } from '../api/api-authentication';
import { McpSettings } from './allowed-hosts';

/** Metadata of a protected resource (RFC 9728, section 2). */
interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly scopes_supported: readonly string[];
  readonly resource_name: string;
  readonly resource_documentation: string;
}

/** What clients ask for by default. Who wants an agent to write without a proposal adds `namewright:write`. */
const CHALLENGED_SCOPES = `${TOKEN_SCOPES.read} ${TOKEN_SCOPES.propose}`;

/** Callers of `/mcp`: an API key, or an access token of an identity provider of the operator. */
@injectable()
export class McpAuthentication {
  /** Undefined without an identity provider, or without PUBLIC_URL, which tokens name as their audience. */
  readonly metadata: ResourceMetadata | undefined;
  private readonly metadataUrl: string;

  constructor(
    @inject(ApiAuthentication) private readonly authentication: ApiAuthentication,
    @inject(AuthenticatePerson) private readonly people: AuthenticatePerson,
    @inject(IdentityProviders) private readonly providers: Pick<IdentityProviders, 'all' | 'claimedBy'>,
    @inject(McpSettings) { publicUrl }: McpSettings,
  ) {
    const { all } = providers;
    this.metadata =
      publicUrl === undefined || all.length === 0
        ? undefined
        : {
            resource: `${publicUrl}/mcp`,
            authorization_servers: all.map(({ issuer }) => issuer),
            bearer_methods_supported: ['header'],
            scopes_supported: Object.values(TOKEN_SCOPES),
            resource_name: 'Namewright',
            resource_documentation: `${publicUrl}/docs`,
          };
    this.metadataUrl = `${publicUrl}/.well-known/oauth-protected-resource/mcp`;
  }

  /** @throws InvalidApiKey, AccessTokenInvalid, ProviderUnavailable, RateLimitExceeded */
  async authenticate(req: Request, res: Response): Promise<Caller> {
    const token = bearerOf(req);
    const provider = token !== undefined && this.metadata ? this.providers.claimedBy(token) : undefined;
    if (token === undefined || !provider || !this.metadata)
      return this.authentication.authenticateCaller(req, res, 'READ', 1);
    const { account } = req.query;
    const person = await this.people.execute({
      provider,
      token,
      audience: this.metadata.resource,
      accountId: typeof account === 'string' ? account : undefined,
      clientAddress: () => req.ip ?? '',
    });
    return this.authentication.admit(req, res, person, 'READ', 1);
  }

  /** The header field with which a client learns where people sign in (RFC 9728, section 5.1). */
  challenge(error: ServiceError): Record<string, string> {
    if (!this.metadata || error.code !== 'INVALID_API_KEY') return {};
    const parameters = [
      `resource_metadata="${this.metadataUrl}"`,
      `scope="${CHALLENGED_SCOPES}"`,
      ...(error instanceof AccessTokenInvalid ? ['error="invalid_token"'] : []),
    ];
    return { 'WWW-Authenticate': `Bearer ${parameters.join(', ')}` };
  }
}
