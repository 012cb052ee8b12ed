import type { DomainName } from '../../../domain/registration/domain-name';
import { NAMESPACES } from '../epp/codec/namespaces';
import { childOf, vocabulary } from '../epp/codec/xml-element';
import { PREMIUM_PRICES } from '../simulated/premium-names';
import { digestOf } from '../simulated/registry-core';
import { minorPricesOf } from '../simulated/tld-offer';
import type { Asking } from './asking';
import {
  authInfoOf,
  detailsOf,
  domainData,
  domainNameOf,
  graceData,
  nameOf,
  publicDomainData,
  securityData,
  transferData,
} from './domain-words';
import { EppFailure } from './epp-failure';
import type { EppReply } from './epp-reply';
import { extensionOf, requiredAll } from './epp-request';
import { feeCheckData } from './fee-words';
import type { Front } from './front';

const DOMAIN = NAMESPACES.domain;
const domain = vocabulary(DOMAIN);

const MAX_CHECKED = 100;

/** What reads of RFC 5731, with the extensions' part in it. */
export class DomainQueries {
  constructor(private readonly front: Front) {}

  /** One name that is none of ours fails the whole command, as at some real registries. */
  async check({ request }: Asking): Promise<EppReply> {
    const names = requiredAll(request.body, DOMAIN, 'name', MAX_CHECKED).map((text) => this.ours(nameOf(text)));
    const sold = await this.front.core.check(names);
    const data = names.map(({ value }, index) => {
      const free = sold[index] !== undefined;
      return domain('cd', [
        domain('name', value, { avail: free ? '1' : '0' }),
        free ? undefined : domain('reason', 'In use'),
      ]);
    });
    const fees = extensionOf(request, NAMESPACES.fee);
    const offers = names.map((name) => {
      const offered = this.front.offerFor(name);
      return {
        name: name.value,
        offered,
        prices: offered && minorPricesOf(offered, name),
        premium: PREMIUM_PRICES.has(name.value),
      };
    });
    return { resData: domain('chkData', data), extensions: [fees && feeCheckData(fees, offers)] };
  }

  /** Everything to the sponsor and to whoever knows the password; to others little more than who the sponsor is. */
  async info({ request: { body }, registrar, now }: Asking): Promise<EppReply> {
    const held = await this.front.held(domainNameOf(body));
    const password = authInfoOf(body);
    if (password !== undefined && held.authCode?.digest !== digestOf(password ?? '')) throw new EppFailure(2202);
    if (held.sponsor !== registrar && password === undefined)
      return { resData: publicDomainData(held), extensions: [graceData(held, now)] };
    const subordinates = (await this.front.store.hostsUnder(held.name)).map(({ name }) => name);
    const hosts = childOf(body, DOMAIN, 'name')?.attributes.get('hosts') ?? 'all';
    const data = domainData(held, {
      delegation: hosts === 'sub' || hosts === 'none' ? [] : held.nameservers,
      subordinates: hosts === 'del' || hosts === 'none' || this.front.hostsAre === 'attributes' ? [] : subordinates,
      hostsAre: this.front.hostsAre,
    });
    return { resData: data, extensions: [graceData(held, now), securityData(held)] };
  }

  async transferState({ request: { body }, registrar }: Asking): Promise<EppReply> {
    const held = await this.front.held(domainNameOf(body));
    const record = detailsOf(held).transfer;
    if (!record) throw new EppFailure(2301, `No transfer of ${held.name} was ever asked for`);
    const password = authInfoOf(body);
    const knows = typeof password === 'string' && held.authCode?.digest === digestOf(password);
    if (![record.gaining, record.losing].includes(registrar) && !knows) throw new EppFailure(2201);
    return { resData: transferData(held, record) };
  }

  private ours(name: DomainName): DomainName {
    if (!this.front.offerFor(name))
      throw new EppFailure(2005, `${name.value} is under no TLD of this registry`, domain('name', name.value));
    return name;
  }
}
