import type { Request } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { IssueApiKey, type IssuedKey } from '../../../application/access/api-keys/issue-api-key';
import type { ClientConfiguration } from '../../../application/access/key-presets/client-configurations';
import {
  nameOfKey,
  parseKeyPlace,
  presetsFor,
  type KeyPreset,
} from '../../../application/access/key-presets/key-presets';
import type { Requester } from '../../../domain/access/actor';
import { ValidationError } from '../../../domain/shared/validation-error';
import { DashboardSettings } from '../dashboard-settings';
import { serviceUrl, updateServer } from '../service-url';

interface KeyWishes {
  readonly purpose: string;
  /** Names of domains, or tags, separated by spaces or commas. */
  readonly domain: string;
  readonly record: string;
  /** Empty: it gets the name of its purpose. */
  readonly name: string;
}

export interface ProgramKey extends IssuedKey {
  readonly preset: KeyPreset;
  readonly places: readonly string[];
}

/** Keys for programs, made from presets, with the configurations of the programs. */
@injectable()
export class ProgramKeys {
  constructor(
    @inject(IssueApiKey) private readonly issueApiKey: IssueApiKey,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get presets(): readonly KeyPreset[] {
    return presetsFor(this.settings.compatibilityApis);
  }

  /** @throws ValidationError */
  async issue(
    req: Request<Record<string, string>>,
    requester: Requester,
    wishes: KeyWishes,
  ): Promise<ProgramKey & { readonly configurations: readonly ClientConfiguration[] }> {
    const preset = this.presets.find(({ id }) => id === wishes.purpose);
    if (!preset) throw ValidationError.of('purpose', 'must be one of the purposes listed');
    const domains = wishes.domain.split(/[\s,]+/).filter((each) => each !== '');
    const place = parseKeyPlace(preset, domains, wishes.record);
    const name = wishes.name.trim() === '' ? nameOfKey(preset, place) : wishes.name;
    const command = { ...requester, name, scope: preset.scope, limits: preset.limits(place) };
    const issued = await (preset.type === 'tsig'
      ? this.issueApiKey.executeTsig(command)
      : this.issueApiKey.execute(command));
    const configurations = preset.configurations({
      ...place,
      keyId: issued.key.toState().keyId,
      text: issued.text,
      url: serviceUrl(req, this.settings),
      server: updateServer(req, this.settings),
      apis: this.settings.compatibilityApis,
    });
    const places = [...place.domains, ...(place.tags ?? []).map((tag) => `domains tagged ${tag}`)];
    return { ...issued, preset, places, configurations };
  }
}
