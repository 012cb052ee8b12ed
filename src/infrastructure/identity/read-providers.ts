import { dirname, resolve } from 'node:path';
import { ConfigurationError } from '../../config';
import type { IdentityProvider } from '../../application/ports/access/authentication';
import { parseUserRights, ROLES, type UserRights, type Role } from '../../domain/access/people/role';
import { ValidationError } from '../../domain/shared/validation-error';
import type { Issue } from '../../domain/shared/issue';
import { resolveSecrets, type SecretSources } from '../settings/secret-references';
import { readYaml } from '../settings/yaml-file';

/** `always`, or values of the claims `amr` (RFC 8176) and `acr` of which one must be there. */
type SecondFactorClaims = 'never' | 'always' | { readonly amr?: readonly string[]; readonly acr?: readonly string[] };

/** Of RFC 7591, section 2: how the service authenticates at the token endpoint. */
const CLIENT_AUTHENTICATIONS = ['client_secret_basic', 'client_secret_post'] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

export interface ProviderDefinition extends IdentityProvider {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Undefined: as the provider publishes. */
  readonly clientAuthentication: ClientAuthentication | undefined;
  readonly scopes: readonly string[];
  readonly secondFactor: SecondFactorClaims;
  readonly groupsClaim: string;
}

interface WrittenProvider {
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: unknown;
  readonly token_endpoint_auth_method?: ClientAuthentication;
  readonly scopes?: readonly string[];
  readonly second_factor?: SecondFactorClaims;
  readonly invitations?: boolean;
  readonly groups?: {
    readonly claim: string;
    readonly account: string;
    readonly roles: Readonly<Record<string, Role | { readonly role: Role; readonly tags: readonly string[] }>>;
  };
}

const TEXT = { type: 'string', minLength: 1, maxLength: 255 } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['providers'],
  properties: {
    providers: {
      type: 'object',
      maxProperties: 20,
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'issuer', 'client_id', 'client_secret'],
        properties: {
          name: TEXT,
          issuer: TEXT,
          client_id: TEXT,
          client_secret: { type: ['object', 'string'] },
          token_endpoint_auth_method: { enum: CLIENT_AUTHENTICATIONS },
          scopes: TEXTS,
          second_factor: {
            anyOf: [
              { enum: ['never', 'always'] },
              { type: 'object', additionalProperties: false, minProperties: 1, properties: { amr: TEXTS, acr: TEXTS } },
            ],
          },
          invitations: { type: 'boolean' },
          groups: {
            type: 'object',
            additionalProperties: false,
            required: ['claim', 'account', 'roles'],
            properties: {
              claim: TEXT,
              account: TEXT,
              roles: {
                type: 'object',
                additionalProperties: {
                  anyOf: [
                    { enum: ROLES },
                    {
                      type: 'object',
                      additionalProperties: false,
                      required: ['role', 'tags'],
                      properties: { role: { enum: ROLES }, tags: { ...TEXTS, minItems: 1 } },
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
  },
} as const;
const ID = /^[a-z][a-z0-9-]{0,31}$/;

/**
 * Reads the file of OpenID Connect providers and the secrets to which it refers. Contacts nothing. @throws ConfigurationError
 * @param onOpenFile see `SecretSources`
 */
export function readProviders(
  file: string | undefined,
  env: NodeJS.ProcessEnv,
  onOpenFile?: SecretSources['onOpenFile'],
): readonly ProviderDefinition[] {
  if (file === undefined) return [];
  const source = readYaml<{ readonly providers: Readonly<Record<string, WrittenProvider>> }>(file, SCHEMA);
  const issues: Issue[] = 'issues' in source ? [...source.issues] : [];
  const folder = dirname(resolve(file));
  const providers =
    'issues' in source
      ? []
      : Object.entries(source.value.providers).map(([id, written]) => {
          const path = `providers.${id}`;
          if (!ID.test(id))
            issues.push({ path, message: 'must be a name of up to 32 lower-case letters, digits and hyphens' });
          if (!isIssuer(written.issuer))
            issues.push({ path: `${path}.issuer`, message: 'must be an https URL without query and fragment' });
          const { client_secret: secret } = written;
          const resolved = resolveSecrets({ client_secret: secret }, path, { env, folder, onOpenFile }, issues);
          const roles = membershipsOf(written.groups?.roles ?? {}, `${path}.groups.roles`, issues);
          return toDefinition(id, written, { clientSecret: String(resolved['client_secret']), roles });
        });
  if (issues.length > 0)
    throw new ConfigurationError(
      issues.map(({ path, message }) => ({ path: `OIDC_PROVIDERS_FILE ${path}`.trim(), message })),
    );
  return providers;
}

function membershipsOf(
  written: NonNullable<WrittenProvider['groups']>['roles'],
  path: string,
  issues: Issue[],
): ReadonlyMap<string, UserRights> {
  const memberships = Object.entries(written).map(([group, given]): [string, UserRights] => {
    const { role, tags } = typeof given === 'string' ? { role: given, tags: [] } : given;
    try {
      return [group, parseUserRights(role, tags)];
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      issues.push(...error.issues.map((issue) => ({ ...issue, path: `${path}.${group}.${issue.path}` })));
      return [group, { role, tags: null }];
    }
  });
  return new Map(memberships);
}

function toDefinition(
  id: string,
  written: WrittenProvider,
  { clientSecret, roles }: { readonly clientSecret: string; readonly roles: ReadonlyMap<string, UserRights> },
): ProviderDefinition {
  const { name, issuer, client_id: clientId, scopes = [], second_factor, invitations = false, groups } = written;
  return {
    id,
    name,
    issuer,
    clientId,
    clientSecret,
    clientAuthentication: written.token_endpoint_auth_method,
    scopes: [...new Set(['openid', 'email', ...scopes])],
    secondFactor: second_factor ?? 'never',
    invitations,
    groupsClaim: groups?.claim ?? '',
    groups: groups && { account: groups.account, roles },
  };
}

/** Without TLS only on this machine, for tests. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return search + hash === '' && (protocol === 'https:' || isLoopback(text));
}

export function isLoopback(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
