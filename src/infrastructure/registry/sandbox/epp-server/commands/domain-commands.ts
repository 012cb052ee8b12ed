import type { DomainName } from '../../../../../domain/shared/domain-name';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { elementFactory } from '../../../epp/codec/xml-element';
import { PREMIUM_PRICES } from '../../simulated/offers/premium-names';
import { detailsOf, NO_DETAILS, type RegistrationDetails } from '../../simulated/registration';
import type { DecisionContext } from '../../simulated/registry-core';
import { minorPricesOf, type TldOffer } from '../../simulated/offers/tld-offer';
import { remove, renew } from '../../simulated/transitions';
import type { CommandContext } from './command-context';
import { assertHostCount, assertSponsor, glueOf, storedCode } from './domain-rules';
import type { DomainContacts } from './domain-contacts';
import type { DomainUpdates } from './domain-updates';
import { authInfoOf, domainNameOf, yearsOf } from '../xml/domain-xml';
import { dsRecordsOf } from '../xml/security-xml';
import { EppError } from '../epp-error';
import type { ResponseData } from '../xml/epp-response';
import { extensionOf, required } from '../xml/epp-request';
import { assertAgreed, feeData } from '../xml/fee-xml';
import type { RegistryBackend } from '../registry-backend';
import { assertNotProhibited } from '../xml/status-xml';

const { domain: DOMAIN, fee: FEE, secDNS: SECDNS } = NAMESPACES;
const domain = elementFactory(DOMAIN);

/** Create, renew, update and delete of domains (RFC 5731). */
export class DomainCommands {
  constructor(
    private readonly backend: RegistryBackend,
    private readonly updates: DomainUpdates,
    private readonly contacts: DomainContacts,
  ) {}

  async create({ request, registrar, svTRID, now }: CommandContext): Promise<ResponseData> {
    const { body } = request;
    const name = domainNameOf(body);
    const offered = this.offer(name);
    const years = yearsOf(body);
    const authInfo = authInfoOf(body);
    if (authInfo === undefined) throw new EppError(2003, 'authInfo is missing');
    const hosts = await this.updates.wantedHosts(body, name);
    assertHostCount(hosts, offered);
    const details: RegistrationDetails = {
      ...NO_DETAILS,
      ...(await this.contacts.ofNewDomain(body)),
      ds: dsRecordsOf(extensionOf(request, SECDNS), name.value, this.backend.dsRecordsAre),
    };
    const fees = extensionOf(request, FEE);
    const price = minorPricesOf(offered, name).registration(years);
    assertAgreed(fees, price, PREMIUM_PRICES.has(name.value));
    const { issuedBy } = this.backend.personality.authCodes;
    const authCode = authInfo === null || issuedBy !== 'client' ? undefined : storedCode(authInfo, offered, now);
    const wanted = {
      name: name.value,
      years,
      registrant: null,
      nameservers: hosts.map(({ host }) => host),
      glue: glueOf(hosts),
      details,
      transferLocked: false,
      price,
      ...(authCode && { authCode }),
    };
    const { createdAt, expiresAt } = await this.backend.core.create(wanted, { registrar, transactionId: svTRID });
    const data = domain('creData', [
      domain('name', name.value),
      domain('crDate', createdAt.toISOString()),
      domain('exDate', expiresAt.toISOString()),
    ]);
    return { resData: data, extensions: [feeData('creData', fees, price)] };
  }

  async renew({ request, registrar, svTRID }: CommandContext): Promise<ResponseData> {
    const { body } = request;
    const name = domainNameOf(body);
    const years = yearsOf(body);
    const currentExpiry = dateOf(required(body, DOMAIN, 'curExpDate'));
    const fees = extensionOf(request, FEE);
    let price = 0;
    const renewed = await this.backend.core.decide(
      name,
      { registrar, transactionId: svTRID },
      ({ held, offered, prices, command }) => {
        assertSponsor(held, registrar);
        assertNotProhibited(detailsOf(held).statuses, 'clientRenewProhibited');
        const outcome = renew(held, { years, currentExpiry }, offered, prices, command);
        price = prices.renewal(years);
        assertAgreed(fees, price, PREMIUM_PRICES.has(held.name));
        return outcome;
      },
    );
    const data = domain('renData', [
      domain('name', name.value),
      domain('exDate', renewed?.expiresAt.toISOString() ?? ''),
    ]);
    return { resData: data, extensions: [feeData('renData', fees, price)] };
  }

  async update({ request, registrar, svTRID, now }: CommandContext): Promise<ResponseData> {
    const name = domainNameOf(request.body);
    const removal = this.backend.removesFirst ? this.updates.prepareRemoval(request) : undefined;
    if (removal) await this.backend.core.decide(name, { registrar, transactionId: `${svTRID}-rem` }, removal);
    const change = await this.updates.prepare(request, name);
    let reply: ResponseData = {};
    await this.backend.core.decide(name, { registrar, transactionId: svTRID }, (facts: DecisionContext) => {
      assertSponsor(facts.held, registrar);
      const outcome = change(facts);
      reply = outcome.reply ?? {};
      const { registration } = outcome;
      const details = registration && { ...detailsOf(registration), updatedBy: registrar, updatedAt: now.getTime() };
      return { ...outcome, registration: registration && { ...registration, details: details ?? null } };
    });
    return reply;
  }

  async delete({ request, registrar, svTRID }: CommandContext): Promise<ResponseData> {
    const name = domainNameOf(request.body);
    const subordinates = await this.backend.store.hostsUnder(name.value);
    for (const { name: host } of subordinates) {
      const others = (await this.backend.store.domainsOn(host)).filter((domain) => domain !== name.value);
      if (others.length > 0) throw new EppError(2305, `Other domains are delegated to ${host}`);
    }
    const left = await this.backend.core.decide(
      name,
      { registrar, transactionId: svTRID },
      ({ held, offered, command }) => {
        assertSponsor(held, registrar);
        assertNotProhibited(detailsOf(held).statuses, 'clientDeleteProhibited');
        const outcome = remove(held, offered, command);
        const details = { ...detailsOf(held), updatedBy: registrar, updatedAt: command.now.getTime() };
        return { ...outcome, registration: outcome.registration && { ...outcome.registration, details } };
      },
    );
    if (left) return { code: 1001 };
    for (const { name: host } of subordinates) await this.backend.store.removeHost(host);
    return {};
  }

  private offer(name: DomainName): TldOffer {
    const offered = this.backend.offerFor(name);
    if (!offered) throw new EppError(2306, `.${name.parent} is not a TLD of this registry`, domain('name', name.value));
    return offered;
  }
}

function dateOf(text: string): Date {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}Z?$/.test(text) || Number.isNaN(date.getTime()))
    throw new EppError(2005, 'A date must be YYYY-MM-DD');
  return date;
}
