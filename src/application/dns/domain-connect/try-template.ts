import { inject, injectable } from '../../ports/inject';
import { OPERATOR } from '../../../domain/access/actor';
import { parseApplyQuery } from '../../../domain/domain-connect/apply-query';
import { readTemplate } from '../../../domain/domain-connect/templates/read-template';
import { ValidationError } from '../../../domain/shared/validation-error';
import { ConnectedServiceReader } from '../../ports/dns/templates-and-domain-connect';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import type { ZonePlan } from '../zones/zone-plan';
import { ZoneWriter } from '../zones/zone-writer';
import { ConnectDecision } from './connect-decision';
import { zoneNameOf } from './read-connect-settings';
import { parseJson } from './catalog/template-json';

/** Shows an operator what a template would change in a zone; neither it nor a signature needs to be known here. */
@injectable()
export class TryTemplate {
  constructor(
    @inject(ZoneWriter) private readonly zones: Pick<ZoneWriter, 'plan'>,
    @inject(HostedNameReader) private readonly names: Pick<HostedNameReader, 'among'>,
    @inject(ConnectedServiceReader) private readonly services: ConnectedServiceReader,
    @inject(ConnectDecision) private readonly decision: ConnectDecision,
  ) {}

  /** @throws ValidationError, ConnectRefused; otherwise as `ZoneWriter.plan` */
  async execute(text: string, query: string): Promise<ZonePlan> {
    const template = readTemplate(parseJson(text));
    const parameters = parseApplyQuery(query);
    const name = zoneNameOf(parameters.domain);
    const [domain] = name === undefined ? [] : await this.names.among([name]);
    if (!domain) throw ValidationError.of('domain', 'is no zone here');
    const { id: domainId, accountId } = domain;
    const connected = await this.services.ofDomain(accountId, domainId);
    return this.zones.plan(
      { accountId, actor: OPERATOR, domainId },
      this.decision.of({ template, parameters }, connected, 'svc_dry_run'),
    );
  }
}
