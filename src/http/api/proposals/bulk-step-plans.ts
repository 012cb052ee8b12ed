import { TemplateLibrary } from '../../../application/dns/templates/template-library';
import { inject, injectable } from '../../../application/ports/inject';
import type { TemplateReader } from '../../../application/ports/dns/templates-and-domain-connect';
import type { RehearsedChange } from '../../../application/ports/storage/unit-of-work';
import type { Reader } from '../../../domain/access/actor';
import {
  currentExpiryOf,
  isOrderStep,
  mostOf,
  type BulkDomainAction,
  type BulkStep,
} from '../../../domain/portfolio/bulk-job';
import { bulkBody, priceBody } from './attempted-writes';

type RollBack = Extract<BulkStep, { kind: 'roll_back' }>;
type ShownStep = BulkDomainAction | RollBack;

/** What a bulk job does to which domains: a filter may match others when it is accepted, and a template may have other records. */
@injectable()
export class BulkStepPlans {
  constructor(@inject(TemplateLibrary) private readonly templates: Pick<TemplateLibrary, 'find'>) {}

  /**
   * The member of the plan; none for orders and zone files, which are shown name by name.
   * @param templates those of the unit of work, in one
   */
  async of(
    requester: Reader,
    items: RehearsedChange['bulkSteps'],
    templates?: Pick<TemplateReader, 'find'>,
  ): Promise<object> {
    const domainsOf = new Map<string, string[]>();
    const texts = new Map<BulkStep, string>();
    for (const { domainId, name, step } of items) {
      if (!isShown(step)) continue;
      const text = texts.get(step) ?? JSON.stringify(await this.shown(requester, step, templates));
      texts.set(step, text);
      const domains = domainsOf.get(text) ?? [];
      domains.push(name || domainId);
      domainsOf.set(text, domains);
    }
    const steps = [...domainsOf].map(([text, domains]) => ({ ...(JSON.parse(text) as object), domains }));
    return steps.length === 0 ? {} : { steps };
  }

  private async shown(requester: Reader, step: ShownStep, templates?: Pick<TemplateReader, 'find'>): Promise<object> {
    if (step.kind === 'roll_back') return { action: step.kind, roll_back_to: step.version };
    const most = mostOf(step);
    const records =
      step.kind === 'template' && (await this.templates.find(requester, step.templateId, templates)).records;
    return {
      action: step.kind,
      ...bulkBody(step),
      ...(most && { max_price_each: priceBody(most) }),
      current_expiry: currentExpiryOf(step),
      ...(records !== false && { records }),
    };
  }
}

function isShown(step: BulkStep): step is ShownStep {
  return !isOrderStep(step) && !['zone_file', 'zone_files', 'transfer', 'registration'].includes(step.kind);
}
