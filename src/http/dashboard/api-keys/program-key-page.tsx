import type { ClientConfiguration } from '../../../application/access/key-presets/client-configurations';
import type { KeyPreset } from '../../../application/access/key-presets/key-presets';
import { Card, Copyable, PageHeading } from '../layout/components';
import { ClientConfigurations } from './client-configurations';

interface ProgramKeyPageProps {
  readonly name: string;
  readonly text: string;
  readonly places: readonly string[];
  readonly preset: KeyPreset;
  readonly configurations: readonly ClientConfiguration[];
  /** Whether the configurations name the server that takes DNS updates. */
  readonly hasServer: boolean;
}

/** A new key for a program, which is shown once. */
export function ProgramKeyPage({ name, text, places, preset, configurations, hasServer }: ProgramKeyPageProps) {
  return (
    <>
      <PageHeading title="Your new key" lead={`“${name}”, for ${places.join(', ')}`} />
      <Card title="Copy it now">
        <p>The key is shown only once.</p>
        <Copyable id="new-key" text={text} label="the new key" />
        {preset.type === 'tsig' && !hasServer && (
          <p class="mt-4">
            Replace <code>SERVER</code> by the address of this service’s DNS listener. Its operator knows it: the
            listener is off here.
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
