import type { DomainName } from '../../../../../domain/shared/domain-name';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, elementFactory } from '../../../epp/codec/xml-element';
import { PREMIUM_PRICES } from '../../simulated/offers/premium-names';
import { detailsOf } from '../../simulated/registration';
import { digestOf } from '../../simulated/registry-core';
import { minorPricesOf } from '../../simulated/offers/tld-offer';
import type { CommandContext } from './command-context';
import {
  authInfoOf,
  domainData,
  domainNameOf,
  graceData,
  nameOf,
  publicDomainData,
  transferData,
} from '../xml/domain-xml';
import { securityData } from '../xml/security-xml';
import { EppError } from '../epp-error';
import { IssuedAuthCodes, type ShownAuthCode } from './issued-auth-codes';
import type { ResponseData } from '../xml/epp-response';
import { extensionOf, requiredAll } from '../xml/epp-request';
import { feeCheckData } from '../xml/fee-xml';
import type { RegistryBackend } from '../registry-backend';

const DOMAIN = NAMESPACES.domain;
const domain = elementFactory(DOMAIN);

const MAX_CHECKED = 100;
const NO_CODE: ShownAuthCode = {};

/** Check, info and transfer query of domains (RFC 5731), with their extensions. */
export class DomainQueryCommands {
  private readonly authCodes: IssuedAuthCodes;

  constructor(private readonly backend: RegistryBackend) {
    this.authCodes = new IssuedAuthCodes(backend);
  }

  /** One name under another TLD fails the whole command, as at some real registries. */
  async check({ request }: CommandContext): Promise<ResponseData> {
    const names = requiredAll(request.body, DOMAIN, 'name', MAX_CHECKED).map((text) =>
      this.requireServed(nameOf(text)),
    );
    const sold = await this.backend.core.check(names);
    const data = names.map(({ value }, index) => {
      const free = sold[index] !== undefined;
      return domain('cd', [
        domain('name', value, { avail: free ? '1' : '0' }),
        free ? undefined : domain('reason', 'In use'),
      ]);
    });
    const fees = extensionOf(request, NAMESPACES.fee);
    const offers = names.map((name) => {
      const offered = this.backend.offerFor(name);
      return {
        name: name.value,
        offered,
        prices: offered && minorPricesOf(offered, name),
        premium: PREMIUM_PRICES.has(name.value),
      };
    });
    return { resData: domain('chkData', data), extensions: [fees && feeCheckData(fees, offers)] };
  }

  /** All data for the sponsor or with the auth code; otherwise public data. */
  async info(context: CommandContext): Promise<ResponseData> {
    const { request, registrar, now } = context;
    const { body } = request;
    const held = await this.backend.requireRegistered(domainNameOf(body));
    const password = authInfoOf(body);
    if (password !== undefined && held.authCode?.digest !== digestOf(password ?? '')) throw new EppError(2202);
    if (held.sponsor !== registrar && password === undefined)
      return { resData: publicDomainData(held), extensions: [graceData(held, now)] };
    const subordinates = (await this.backend.store.hostsUnder(held.name)).map(({ name }) => name);
    const hosts = childOf(body, DOMAIN, 'name')?.attributes.get('hosts') ?? 'all';
    const data = domainData(held, {
      delegation: hosts === 'sub' || hosts === 'none' ? [] : held.nameservers,
      subordinates: hosts === 'del' || hosts === 'none' || this.backend.hostsAre === 'attributes' ? [] : subordinates,
      hostsAre: this.backend.hostsAre,
    });
    const { authInfo, extension } = held.sponsor === registrar ? await this.authCodes.shown(held, context) : NO_CODE;
    return {
      resData: { ...data, children: [...data.children, ...(authInfo ? [authInfo] : [])] },
      extensions: [graceData(held, now), securityData(held, this.backend.dsRecordsAre), extension],
    };
  }

  async transferState({ request: { body }, registrar }: CommandContext): Promise<ResponseData> {
    const held = await this.backend.requireRegistered(domainNameOf(body));
    const record = detailsOf(held).transfer;
    if (!record) throw new EppError(2301, `No transfer of ${held.name} was requested`);
    const password = authInfoOf(body);
    const hasAuthCode = typeof password === 'string' && held.authCode?.digest === digestOf(password);
    if (![record.gaining, record.losing].includes(registrar) && !hasAuthCode) throw new EppError(2201);
    return { resData: transferData(held, record, this.backend.core.offerOf(held)) };
  }

  private requireServed(name: DomainName): DomainName {
    if (!this.backend.offerFor(name))
      throw new EppError(2005, `.${name.parent} is not a TLD of this registry`, domain('name', name.value));
    return name;
  }
}
