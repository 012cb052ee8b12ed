import { inject, injectable } from '../../../application/ports/inject';
import { IssueApiKey } from '../../../application/access/api-keys/issue-api-key';
import type { ClientConfiguration } from '../../../application/access/key-presets/client-configurations';
import { parseKeyPlace, presetsFor, type KeyPreset } from '../../../application/access/key-presets/key-presets';
import { ValidationError } from '../../../domain/shared/validation-error';
import { DashboardSettings } from '../dashboard-settings';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { getRequester } from '../dashboard-route';
import { readField } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { Card, Copyable, PageHeading } from '../layout/components';
import { FormActions } from '../layout/form-actions';
import { Field, PostForm, Radios, type FormValues } from '../layout/forms';
import { Reauthentication } from '../reauthentication/reauthentication';
import { PageRenderer } from '../page-renderer';
import { serviceUrl } from '../service-url';
import { ClientConfigurations } from './client-configurations';

const FORM_FIELDS = { fields: ['name', 'domain', 'purpose', 'record'] };
const EMPTY_FORM: FormValues = { name: '', domain: '', purpose: 'certificates', record: '' };

/** Creates keys for programs from presets, and shows the configuration of the program. The list of API keys shows and revokes them. */
@injectable()
export class TsigKeyPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(IssueApiKey) private readonly issueApiKey: IssueApiKey,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  private get presets(): readonly KeyPreset[] {
    return presetsFor(this.settings.compatibilityApis);
  }

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/api-keys/new-tsig', 'owner', this.showForm.bind(this)],
      ['post', '/api-keys/tsig', 'owner', this.create.bind(this), { before: this.reauthentication.require() }],
    ];
  }

  private async create(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = {
      name: readField(req, 'name'),
      domain: readField(req, 'domain'),
      purpose: readField(req, 'purpose'),
      record: readField(req, 'record'),
    };
    const outcome = await attempt(async () => {
      const preset = this.presets.find(({ id }) => id === values.purpose);
      if (!preset) throw ValidationError.of('purpose', 'must be one of the purposes listed');
      const place = parseKeyPlace(preset, splitNames(values.domain), values.record);
      const command = { ...getRequester(res), name: values.name, scope: preset.scope, limits: preset.limits(place) };
      const issued = await (preset.type === 'tsig'
        ? this.issueApiKey.executeTsig(command)
        : this.issueApiKey.execute(command));
      return { ...issued, preset, place };
    }, FORM_FIELDS);
    if ('issues' in outcome) return this.showForm(req, res, values, outcome.issues);
    const { key, text, preset, place } = outcome.result;
    const { keyId, name } = key.toState();
    const url = serviceUrl(req, this.settings);
    const configurations = preset.configurations({ ...place, keyId, text, url, apis: this.settings.compatibilityApis });
    this.renderer.render(
      req,
      res,
      { title: 'Your new key', section: 'api-keys' },
      <NewKey
        name={name}
        text={text}
        places={[...place.domains, ...(place.tags ?? []).map((tag) => `domains tagged ${tag}`)]}
        preset={preset}
        configurations={configurations}
      />,
    );
  }

  private showForm(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues = EMPTY_FORM,
    issues?: FormIssues,
  ): void {
    const purposes = this.presets.map(({ id, label, hint }) => ({ value: id, label, hint }));
    this.renderer.render(
      req,
      res,
      { title: 'New key for a program', section: 'api-keys', issues },
      <>
        <PageHeading
          title="New key for a program"
          lead="Each purpose allows as little as the program needs. The next page shows the configuration of the program."
        />
        <section class="card narrow">
          <PostForm action="/api-keys/tsig" values={values} issues={issues}>
            <Field
              name="name"
              label="Name"
              required
              maxLength={100}
              autofocus
              hint="The program that uses it, such as “certbot on www”."
            />
            <Field
              name="domain"
              label="Domain"
              required
              maxLength={2_000}
              hint="Such as example.com. Deploys and monitoring take several, separated by spaces, or tag:shop for all domains tagged shop."
            />
            <Radios name="purpose" label="What it is for" choices={purposes} />
            <Field
              name="record"
              label="Host name (for certificates and a router)"
              maxLength={253}
              hint="Relative to the domain, such as home; @ is the domain itself."
            />
            <FormActions submit="Create key" cancel="/api-keys" />
          </PostForm>
        </section>
      </>,
    );
  }
}

function splitNames(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((each) => each !== '');
}

interface NewKeyProps {
  readonly name: string;
  readonly text: string;
  readonly places: readonly string[];
  readonly preset: KeyPreset;
  readonly configurations: readonly ClientConfiguration[];
}

function NewKey({ name, text, places, preset, configurations }: NewKeyProps) {
  return (
    <>
      <PageHeading title="Your new key" lead={`“${name}”, for ${places.join(', ')}`} />
      <Card title="Copy it now">
        <p>The key is shown only once.</p>
        <Copyable id="new-key" text={text} label="the new key" />
        {preset.type === 'tsig' && (
          <p class="mt-4">
            Replace <code>SERVER</code> by the address of this service’s DNS listener; its operator knows it.
          </p>
        )}
        <ClientConfigurations configurations={configurations} />
      </Card>
      <p class="mt-4">
        <a class="button" href="/api-keys">
          Done
        </a>
      </p>
    </>
  );
}
