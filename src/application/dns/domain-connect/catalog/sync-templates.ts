import { createHash } from 'node:crypto';
import { inject, injectable } from '../../../ports/inject';
import { readTemplate } from '../../../../domain/domain-connect/templates/read-template';
import { ValidationError } from '../../../../domain/shared/validation-error';
import {
  ConnectTemplateReader,
  type ListedConnectTemplate,
  type StoredConnectTemplate,
} from '../../../ports/dns/templates-and-domain-connect';
import { UnitOfWork } from '../../../ports/storage/unit-of-work';
import { Clock } from '../../../ports/system';
import { isTemplateOn } from './connect-catalog';
import { parseJson } from './template-json';

/** A file of a checkout of templates. */
export interface TemplateFile {
  readonly name: string;
  readonly text: string;
}

export interface SyncedTemplate extends Pick<ListedConnectTemplate, 'providerId' | 'serviceId'> {
  readonly file: string;
  readonly isOn: boolean;
}

export interface RefusedTemplate {
  readonly file: string;
  readonly reasons: readonly string[];
}

export interface TemplateSync {
  readonly added: readonly SyncedTemplate[];
  readonly changed: readonly SyncedTemplate[];
  readonly unchanged: number;
  readonly refused: readonly RefusedTemplate[];
}

const MAX_LENGTH = 262_144;
const STORED_AT_ONCE = 100;

/** Reads the files of a checkout of templates, checks each, and stores what is new or changed. Others stay as they are. */
@injectable()
export class SyncTemplates {
  constructor(
    @inject(ConnectTemplateReader) private readonly templates: ConnectTemplateReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'connectTemplates'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param isDryRun stores nothing */
  async execute(files: readonly TemplateFile[], { isDryRun = false } = {}): Promise<TemplateSync> {
    const known = new Map((await this.templates.all()).map((each) => [keyOf(each), each.digest]));
    const choices = await this.templates.choices();
    const [added, changed]: [SyncedTemplate[], SyncedTemplate[]] = [[], []];
    const refused: RefusedTemplate[] = [];
    const stored = new Map<string, StoredConnectTemplate>();
    let unchanged = 0;
    for (const file of files) {
      const template = this.read(file, stored, refused);
      if (!template) continue;
      const { providerId, serviceId } = template;
      const digest = known.get(keyOf(template));
      if (digest === template.digest) {
        unchanged += 1;
        continue;
      }
      stored.set(keyOf(template), template);
      const isOn = isTemplateOn(template, choices.get(providerId));
      (digest === undefined ? added : changed).push({ file: file.name, providerId, serviceId, isOn });
    }
    if (!isDryRun) await this.store([...stored.values()]);
    return { added, changed, unchanged, refused };
  }

  /** @throws ValidationError if no template is of the provider */
  async chooseProvider(providerId: string, isOn: boolean): Promise<void> {
    if (!(await this.templates.all()).some((each) => each.providerId === providerId))
      throw ValidationError.of('provider', 'has no template here: see domain-connect list');
    await this.unitOfWork.run(({ connectTemplates }) => connectTemplates.choose(providerId, isOn, this.clock.now()));
  }

  private read(
    { name, text }: TemplateFile,
    stored: ReadonlyMap<string, StoredConnectTemplate>,
    refused: RefusedTemplate[],
  ): StoredConnectTemplate | undefined {
    try {
      const template = this.storedForm(text);
      if (stored.has(keyOf(template))) throw ValidationError.of('', 'another file has the same provider and service');
      return template;
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      refused.push({ file: name, reasons: error.issues.map(({ path, message }) => `${path} ${message}`.trim()) });
      return undefined;
    }
  }

  /** @throws ValidationError */
  private storedForm(text: string): StoredConnectTemplate {
    if (text.length > MAX_LENGTH) throw ValidationError.of('', `is longer than ${MAX_LENGTH} characters`);
    const {
      providerId,
      serviceId,
      providerName,
      serviceName,
      version = null,
      syncPubKeyDomain,
    } = readTemplate(parseJson(text));
    return {
      providerId,
      serviceId,
      providerName,
      serviceName,
      isSigned: syncPubKeyDomain !== undefined,
      templateVersion: version,
      template: text,
      digest: createHash('sha256').update(text).digest('hex'),
      changedAt: this.clock.now(),
    };
  }

  private async store(templates: readonly StoredConnectTemplate[]): Promise<void> {
    for (let from = 0; from < templates.length; from += STORED_AT_ONCE) {
      const some = templates.slice(from, from + STORED_AT_ONCE);
      await this.unitOfWork.run(({ connectTemplates }) => connectTemplates.put(some));
    }
  }
}

function keyOf({ providerId, serviceId }: Pick<ListedConnectTemplate, 'providerId' | 'serviceId'>): string {
  return `${providerId} ${serviceId}`;
}
