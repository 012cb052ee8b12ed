import { inject, injectable } from '../ports/inject';
import { relativeOwnerName } from '../../domain/dns/records/record-name';
import { joinTxt } from '../../domain/dns/records/text/txt-content';
import { challengeOf, needsChallenge, type NameNeighbors } from '../../domain/dns/zone-names/zone-ownership';
import type { DomainState } from '../../domain/registration/domain';
import { AccountReader } from '../ports/access/accounts-and-api-keys';
import { ParentDelegations, type TextAnswer } from '../ports/dns/other-nameservers';
import { RecordReader } from '../ports/dns/zone-queries';
import { DomainReader } from '../ports/registration/domain-repository';
import { RegistrationSettings } from '../registration/registration-settings';
import { ZoneVerification } from './zone-verification';

/** Whether an account may have a zone served, and what was asked to find that out. */
export interface OwnershipFinding {
  readonly isProven: boolean;
  /** What was asked, where, and what was found. */
  readonly details: string;
  /** What the finding relies on. */
  readonly neighbors: NameNeighbors;
}

type Asked = Pick<DomainState, 'id' | 'accountId' | 'name'>;

const MAX_RECORDS = 20;
const MAX_SHOWN = 80;

/** Looks for the proof that a name is an account's: in the zone above if that is here, otherwise where its parent delegates it to. */
@injectable()
export class ZoneOwnershipCheck {
  constructor(
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'neighbors'>,
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'page'>,
    @inject(ParentDelegations) private readonly delegations: ParentDelegations,
    @inject(AccountReader) private readonly accounts: Pick<AccountReader, 'find'>,
    @inject(ZoneVerification) private readonly verification: ZoneVerification,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  /** Whether the operator lets the account host names that no other account has, without a challenge. */
  async isTrusted(accountId: string): Promise<boolean> {
    if (this.verification !== 'untrusted') return this.verification === 'none';
    return (await this.accounts.find(accountId))?.isTrusted ?? false;
  }

  async execute(zone: Asked): Promise<OwnershipFinding> {
    const neighbors = await this.domains.neighbors(zone.name, zone.accountId);
    if (!needsChallenge(neighbors, zone.accountId, await this.isTrusted(zone.accountId)))
      return { isProven: true, details: '', neighbors };
    const { above } = neighbors;
    const found = above ? await this.inZoneAbove(zone, above) : await this.atDelegation(zone);
    return { ...found, neighbors };
  }

  /** The zone above is here: the parent's nameservers are ours. */
  private async inZoneAbove(
    { id, name }: Asked,
    above: { readonly id: string; readonly name: string },
  ): Promise<Omit<OwnershipFinding, 'neighbors'>> {
    const challenge = challengeOf(name, id);
    const contents = async (full: string, type: 'NS' | 'TXT') =>
      (await this.records.page(above.id, { name: relativeOwnerName(full, above.name), type }, MAX_RECORDS)).map(
        ({ content }) => content,
      );
    const texts = (await contents(challenge.name, 'TXT')).map(joinTxt);
    if (texts.includes(challenge.value)) return { isProven: true, details: '' };
    const { defaultNameservers: ours } = this.settings;
    const others = (await contents(name, 'NS')).filter((host) => !ours.includes(host));
    const delegated = others.length > 0 ? await this.delegations.texts(challenge.name, others) : [];
    return this.judge({ id, name }, [...ours.map((nameserver) => ({ nameserver, texts })), ...delegated], delegated);
  }

  private async atDelegation(zone: Asked): Promise<Omit<OwnershipFinding, 'neighbors'>> {
    const challenge = challengeOf(zone.name, zone.id);
    const delegation = await this.delegations.find(zone.name);
    if (delegation.kind === 'unknown')
      return { isProven: false, details: `${wanted(zone)} was not looked up: ${delegation.reason}` };
    const hosts = delegation.kind === 'delegated' ? delegation.nameservers : delegation.parents;
    const answers = await this.delegations.texts(challenge.name, hosts);
    const found = this.judge(zone, answers, answers);
    const { defaultNameservers: ours } = this.settings;
    const isOurs = delegation.kind === 'delegated' && hosts.every((host) => ours.includes(host));
    return !found.isProven && isOurs
      ? { ...found, details: `${found.details}. These nameservers serve the zone once it is verified: ${HINT}` }
      : found;
  }

  /** Every nameserver that answers must show the record, and one must answer. */
  private judge(
    zone: Pick<Asked, 'id' | 'name'>,
    asked: readonly TextAnswer[],
    counted: readonly TextAnswer[],
  ): Omit<OwnershipFinding, 'neighbors'> {
    const { value } = challengeOf(zone.name, zone.id);
    const answered = counted.flatMap(({ texts }) => (texts ? [texts] : []));
    const isProven = answered.length > 0 && answered.every((texts) => texts.includes(value));
    const found = asked.map(({ nameserver, texts }) => `${nameserver}: ${shownTexts(texts, value)}`);
    const where = found.length > 0 ? found.join('; ') : 'no nameserver answers for it';
    return { isProven, details: isProven ? '' : `${wanted(zone)} was not found. ${where}` };
  }
}

const HINT = 'delegate the name to the former ones until then, or ask the operator to trust the account';

function wanted({ id, name }: Pick<Asked, 'id' | 'name'>): string {
  const challenge = challengeOf(name, id);
  return `The TXT record ${challenge.name} with the value ${challenge.value}`;
}

/** A stranger chooses the texts. */
function shownTexts(texts: readonly string[] | undefined, value: string): string {
  if (!texts) return 'no authoritative answer';
  if (texts.length === 0) return 'no such record';
  if (texts.includes(value)) return 'found';
  const [first = ''] = texts;
  const shown = first.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_SHOWN);
  return texts.length === 1 ? `"${shown}"` : `"${shown}" and ${texts.length - 1} others`;
}
