import {
  RegistryInconclusive,
  RegistryRejected,
  type DomainName,
  type Money,
  type Purchases,
  type RegistrationTerm,
  type RegistryTransfer,
  type TransferRequest,
} from '../../../adapter';
import { RealtimeRegisterError, type RealtimeRegisterClient } from './realtimeregister-client';
import type { RtrAction, RtrProcess } from './realtimeregister-responses';
import { afterwards, assertPrice, rejecting, type RealtimeRegisterDomains } from './realtimeregister-domains';
import { months, toOrder, toRejection, toTransfer } from './realtimeregister-mapping';

const ACTION = '/transfer';

/** Transfers to Realtime Register, which are processes. */
export class RealtimeRegisterTransfers {
  constructor(
    private readonly client: RealtimeRegisterClient,
    private readonly domains: RealtimeRegisterDomains,
    private readonly purchases: Purchases,
    private readonly customer: string,
  ) {}

  async price(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    const { renewalYears } = this.domains.policyFor(name, 'policy');
    const price = await this.domains.listed(name, 'TRANSFER', term?.years ?? renewalYears.min);
    if (!price) throw new RegistryRejected('policy', `Realtime Register sells no transfers of .${name.parent}`);
    return price;
  }

  async request({ name, term, registrant, authCode, price }: TransferRequest): Promise<RegistryTransfer> {
    this.domains.policyFor(name, 'policy');
    let agreed: RtrAction;
    return this.purchases.send({
      name,
      kind: 'transfer',
      check: async () => {
        if (await rejecting(() => this.client.findDomain(name.value)))
          throw new RegistryRejected('policy', `${name.value} is already ours`);
        const latest = await this.latest(name);
        if (latest && toOrder(latest).status === 'open') throw new RegistryRejected('status', 'A transfer is pending');
        const body = {
          customer: this.customer,
          registrant: await this.domains.ensureContact(registrant),
          authcode: authCode,
          autoRenew: false,
          period: months(term.years),
        };
        const quote = await this.quote(name, body);
        assertPrice(quote.total, price);
        agreed = quote.agreed;
        return undefined;
      },
      send: async () => {
        await rejecting(() => this.client.act(name.value, ACTION, agreed));
        return afterwards(async () => {
          const transfer = await this.status(name);
          if (!transfer)
            throw new RegistryInconclusive(`Realtime Register does not show the transfer of ${name.value}`);
          return transfer;
        });
      },
    });
  }

  /** The latest transfer, in either direction. */
  async status(name: DomainName): Promise<RegistryTransfer | undefined> {
    const latest = await this.latest(name);
    const transfer = latest && (await rejecting(() => this.client.findTransfer(name.value, latest.id)));
    return transfer && toTransfer(name, transfer);
  }

  async cancel(name: DomainName): Promise<RegistryTransfer> {
    const latest = await this.latest(name);
    if (!latest || toOrder(latest).status !== 'open')
      throw new RegistryRejected('status', `No transfer of ${name.value} to us is pending`);
    await rejecting(() => this.client.cancelProcess(latest.id));
    return afterwards(async () => {
      const transfer = await this.status(name);
      if (!transfer) throw new RegistryInconclusive(`Realtime Register does not show the transfer of ${name.value}`);
      return transfer;
    });
  }

  private async latest(name: DomainName): Promise<RtrProcess | undefined> {
    return (await this.domains.processes(name)).find(({ action }) => action === 'transfer');
  }

  /** A rejection that names no reason: an available name is not registered. */
  private async quote(name: DomainName, body: RtrAction): Promise<{ total: Money; agreed: RtrAction }> {
    try {
      return await this.domains.quote(name, ACTION, body);
    } catch (error) {
      const isUnclear = error instanceof RegistryRejected && error.reason === 'policy';
      const { available } = isUnclear ? await this.client.check(name.value).catch(rethrow) : { available: false };
      throw available ? new RegistryRejected('not_held', `${name.value} is not registered`, { cause: error }) : error;
    }
  }
}

function rethrow(error: unknown): never {
  throw error instanceof RealtimeRegisterError ? toRejection(error) : error;
}
