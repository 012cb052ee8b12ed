import { createHash } from 'node:crypto';
import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { maySeeDomain } from '../../../domain/access/key-permissions';
import type { HostedName } from '../../../domain/dns/hosted-name';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { ConnectPlanOutdated, ConnectRefused } from '../../../domain/domain-connect/connect-errors';
import type { ErrorCode } from '../../../domain/shared/error-code';
import { ServiceError } from '../../../domain/shared/service-error';
import { ValidationError } from '../../../domain/shared/validation-error';
import {
  ConnectedServiceReader,
  ZoneDiscoveryReader,
  type ConnectedService,
} from '../../ports/dns/templates-and-domain-connect';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import { Clock, IdGenerator } from '../../ports/system';
import { ApprovalNeeded } from '../../access/approvals/approval-needed';
import { serviceConnected, serviceDisconnected } from '../../audit/service-audit';
import { assertRecordsNeedNoApproval } from '../zones/change-rules';
import type { ZonePlan } from '../zones/zone-plan';
import { ZoneWriter } from '../zones/zone-writer';
import { assertSameServices, ConnectDecision, type Connection } from './connect-decision';
import type { ConnectRequest } from './read-connect-request';
import { zoneNameOf } from './read-connect-settings';

/** What a person is asked to agree to. */
export interface ConnectPlan {
  readonly domain: HostedName;
  /** Relative to the zone; `@` for the apex. */
  readonly host: string;
  readonly zonePlan: ZonePlan;
  /** Services that are no longer connected afterwards, because their records go. */
  readonly disabled: readonly ConnectedService[];
  /** Stands for all of this: only what was shown is written. */
  readonly digest: string;
}

export interface ConnectOutcome {
  readonly domain: HostedName;
  /** The version of the zone afterwards. */
  readonly written: number;
  readonly isChanged: boolean;
}

/** Connects a service to a domain as its template says, and remembers what it added. */
@injectable()
export class ConnectService {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(HostedNameReader) private readonly names: Pick<HostedNameReader, 'among'>,
    @inject(ConnectedServiceReader) private readonly services: ConnectedServiceReader,
    @inject(ZoneDiscoveryReader) private readonly discovery: Pick<ZoneDiscoveryReader, 'find'>,
    @inject(ConnectDecision) private readonly decision: ConnectDecision,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws ConnectRefused; otherwise as `ZoneWriter.plan` */
  async plan(request: ConnectRequest, requester: Requester): Promise<ConnectPlan> {
    const domain = await this.domainOf(request, requester);
    const connected = await this.services.ofDomain(domain.accountId, domain.id);
    const inZone = { ...requester, domainId: domain.id };
    const decide = this.decision.of(request, connected, this.ids.next('svc'));
    const zonePlan = await this.refusing(async () => {
      const plan = await this.zones.plan(inZone, decide);
      await assertRecordsNeedNoApproval(inZone, domain, { version: plan.zoneVersion, change: plan.change });
      return plan;
    });
    const { result, change } = zonePlan;
    return {
      domain,
      host: result.instance.host,
      zonePlan,
      disabled: result.disabled,
      digest: digestOf(change, result),
    };
  }

  /** @param digest of the plan that was agreed to @throws ConnectPlanOutdated if it would do something else by now; otherwise as `plan` */
  async execute(request: ConnectRequest, requester: Requester, digest: string): Promise<ConnectOutcome> {
    const domain = await this.domainOf(request, requester);
    const { id: domainId, accountId } = domain;
    const connected = await this.services.ofDomain(accountId, domainId);
    const decide = this.decision.of(request, connected, this.ids.next('svc'));
    const at = this.clock.now();
    const written = await this.refusing(() =>
      this.zones.write(
        { ...requester, domainId },
        async (zone) => {
          const decided = await decide(zone);
          if (digestOf(decided.change, decided.result) !== digest) throw new ConnectPlanOutdated();
          return decided;
        },
        async ({ connectedServices, audit }, { result, zoneVersion }) => {
          assertSameServices(await connectedServices.ofDomain(accountId, domainId), connected);
          const { template } = request;
          const service: ConnectedService = {
            ...result.instance,
            accountId,
            domainId,
            providerName: template.providerName,
            serviceName: template.serviceName,
            groups: groupsAfter(request, result.replaced),
            zoneVersion,
            connectedBy: requester.actor,
            connectedAt: at,
          };
          const gone = [...result.replaced, ...result.disabled];
          await connectedServices.remove(gone.map((each) => each.id));
          await connectedServices.add(service);
          await audit.append(
            ...gone.map((each) => serviceDisconnected({ at, requester, domain, service: each })),
            serviceConnected({ at, requester, domain, service }),
          );
        },
      ),
    );
    return { domain, written: written.zoneVersion, isChanged: written.isChanged };
  }

  /** Only a name of the account whose zone is here: what others have is not told. @throws ConnectRefused */
  private async domainOf({ parameters }: ConnectRequest, { accountId, actor }: Requester): Promise<HostedName> {
    const name = zoneNameOf(parameters.domain);
    const found = name === undefined ? [] : await this.names.among([name]);
    const domain = found.find((each) => each.accountId === accountId && maySeeDomain(actor, each));
    if (!domain)
      throw new ConnectRefused(
        `${parameters.domain.slice(0, 100)} is not among the domains of this account. If it is in another account of yours, switch to that and follow the link again.`,
        'access_denied',
      );
    if (!(await this.discovery.find(domain.id))?.connects)
      throw new ConnectRefused(`Domain Connect is switched off for ${domain.name}`, 'access_denied');
    if (domain.immutableBecause !== null)
      throw new ConnectRefused(
        `Records of ${domain.name} cannot be changed: ${domain.immutableBecause}`,
        'access_denied',
      );
    return domain;
  }

  /** What the template or its values do wrong is the provider's: the person cannot correct it. */
  private async refusing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ValidationError)
        throw new ConnectRefused(error.issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '));
      if (error instanceof ApprovalNeeded) throw new ConnectRefused(NEEDS_APPROVAL, 'access_denied');
      if (error instanceof ServiceError && CONFLICTS.has(error.code))
        throw new ConnectRefused(error.details ?? error.message, 'access_denied');
      throw error;
    }
  }
}

/** A proposal is a write of the API, and a key cannot connect a service. */
const NEEDS_APPROVAL =
  'A change of these records needs a second person by the approval rules of the account. Instead, add the records by hand: that is proposed';

/** The zone does not allow it, as it would not allow the same change by hand. */
const CONFLICTS: ReadonlySet<ErrorCode> = new Set(['RECORD_CONFLICT', 'LIMIT_EXCEEDED', 'DOMAIN_STATUS_CONFLICT']);

function digestOf({ added, changed, removed }: ZoneChange, { disabled, replaced, instance }: Connection): string {
  const facts = [
    added.map(lineOf),
    changed.map(({ before, after }) => [lineOf(before), lineOf(after)]),
    removed.map(lineOf),
    [...disabled, ...replaced].map(({ id }) => id),
    [instance.host, instance.records, instance.spf],
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

function lineOf(record: DnsRecord): string {
  return `${record.identity()} ${record.ttl}`;
}

/** Of a template that was applied for some groups and is now for others: all of them. Null: all of the template. */
function groupsAfter(
  { parameters: { groups } }: ConnectRequest,
  replaced: readonly ConnectedService[],
): readonly string[] | null {
  const all = [...replaced.map((each) => each.groups), groups ?? null];
  if (groups === undefined || all.includes(null)) return null;
  return [...new Set(all.flatMap((each) => each ?? []))];
}
