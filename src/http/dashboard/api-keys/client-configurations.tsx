import type { ClientConfiguration } from '../../../application/access/key-presets/client-configurations';
import { Copyable } from '../layout/components';

interface ClientConfigurationsProps {
  readonly configurations: readonly ClientConfiguration[];
}

/** What a person copies into the configuration of a program. */
export function ClientConfigurations({ configurations }: ClientConfigurationsProps) {
  return (
    <>
      {configurations.map(({ title, text }, index) => (
        <>
          <h3>{title}</h3>
          <Copyable id={`configuration-${index}`} text={text} label={title} lines />
        </>
      ))}
    </>
  );
}
