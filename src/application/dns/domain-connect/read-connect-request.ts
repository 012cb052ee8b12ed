import { inject, injectable } from '../../ports/inject';
import { parseApplyQuery, type ApplyQuery } from '../../../domain/domain-connect/apply-query';
import { ConnectRefused } from '../../../domain/domain-connect/connect-errors';
import { allowedReturnUrl } from '../../../domain/domain-connect/return-url';
import type { Template } from '../../../domain/domain-connect/templates/template';
import { ConnectCatalog } from './catalog/connect-catalog';
import { ProviderKeys } from './catalog/provider-keys';

export interface ConnectQuery {
  readonly providerId: string;
  readonly serviceId: string;
  /** What follows the question mark, as it was received. */
  readonly query: string;
}

/** A request of a service provider that may be shown to a person. */
export interface ConnectRequest extends ConnectQuery {
  readonly template: Template;
  readonly parameters: ApplyQuery;
  readonly isSigned: boolean;
  /** Where the browser goes afterwards; undefined: it stays. */
  readonly returnTo: URL | undefined;
}

/** Where to send the browser back to with an error, as soon as that is known. */
export type ReturnPlace = Pick<ConnectRequest, 'returnTo'> & Pick<ApplyQuery, 'state'>;

/** Checks who asks, and whether the template and the operator allow it; not yet what would be changed. */
@injectable()
export class ReadConnectRequest {
  constructor(
    @inject(ConnectCatalog) private readonly catalog: ConnectCatalog,
    @inject(ProviderKeys) private readonly keys: ProviderKeys,
  ) {}

  /**
   * @param isFinal the person has agreed: the key of a signature is looked up again
   * @throws ConnectRefused
   */
  async execute({ providerId, serviceId, query }: ConnectQuery, { isFinal = false } = {}): Promise<ConnectRequest> {
    const template = await this.catalog.find(providerId, serviceId);
    if (!template)
      throw new ConnectRefused('This service cannot be connected here: its template is not known, or not switched on');
    const parameters = parseApplyQuery(query);
    if (template.syncBlock)
      throw new ConnectRefused('The provider does not allow that its service is connected in this way');
    const { syncPubKeyDomain: domain } = template;
    const { signature } = parameters;
    if (domain !== undefined && !signature)
      throw new ConnectRefused('The link is not signed, and the provider signs its links', 'unauthorized_client');
    // A signature that no key of the template can confirm says nothing.
    const isSigned = domain !== undefined && signature !== undefined;
    if (isSigned) await this.keys.verify(signature, domain, { isFinal });
    const returnTo = returnPlace(parameters, template, isSigned);
    assertParameters(parameters, template);
    return { providerId, serviceId, query, template, parameters, isSigned, returnTo };
  }
}

/** @throws ConnectRefused */
function returnPlace({ redirectUri }: ApplyQuery, template: Template, isSigned: boolean): URL | undefined {
  if (redirectUri === undefined) return undefined;
  const url = allowedReturnUrl(redirectUri, template, isSigned);
  if (!url) throw new ConnectRefused('The link leads back to a page that the provider does not name in its template');
  return url;
}

/** @throws ConnectRefused */
function assertParameters({ domain, providerName, serviceName, groups }: ApplyQuery, template: Template): void {
  if (domain === '') throw new ConnectRefused('The link names no domain');
  if (providerName !== undefined && !template.sharedProviderName)
    throw new ConnectRefused('The link adds to the name of the provider, which the template does not allow');
  if (serviceName !== undefined && !template.sharedServiceName)
    throw new ConnectRefused('The link adds to the name of the service, which the template does not allow');
  const known = new Set(template.records.flatMap(({ groupId }) => groupId ?? []));
  const unknown = groups?.find((group) => !known.has(group));
  if (unknown !== undefined) throw new ConnectRefused(`The template has no group ${unknown.slice(0, 40)}`);
}
