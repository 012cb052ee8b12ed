import { glueWarning } from '../../../domain/dns/zone-warnings';

/** A warning for each nameserver whose address the registry cannot publish. */
export function GlueWarnings({ hosts }: { readonly hosts: readonly string[] }) {
  if (hosts.length === 0) return null;
  return (
    <div class="notice warning" role="alert">
      <ul>
        {hosts.map((host) => (
          <li key={host}>{glueWarning(host)}</li>
        ))}
      </ul>
    </div>
  );
}
