import { glueWarning } from '../../../../domain/dns/zone-warnings';

/** Warns about nameservers without glue: the registry cannot publish their addresses. */
export function GlueWarnings({ hosts }: { readonly hosts: readonly string[] }) {
  if (hosts.length === 0) return null;
  return (
    <div class="alert warning" role="alert">
      <ul>
        {hosts.map((host) => (
          <li key={host}>{glueWarning(host)}</li>
        ))}
      </ul>
    </div>
  );
}
