import { TextArea } from '../forms/form-controls';

interface NameserversFieldProps {
  readonly ownNameservers: readonly string[];
  /** Without nameservers, the domain gets the service's own. */
  readonly isOptional?: boolean;
}

export function NameserversField({ ownNameservers, isOptional = false }: NameserversFieldProps) {
  const own = ownNameservers.join(', ');
  return isOptional ? (
    <TextArea
      name="nameservers"
      label="Nameservers (optional), one per line"
      rows={3}
      hint={`Empty: ${own}, to manage DNS records here.`}
    />
  ) : (
    <TextArea
      name="nameservers"
      label="Nameservers, one per line"
      rows={5}
      required
      hint={`2 to 13. To manage DNS records here: ${own}`}
    />
  );
}
