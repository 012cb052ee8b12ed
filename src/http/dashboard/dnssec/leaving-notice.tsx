import { MayDo } from '../layout/may-do';

interface LeavingNoticeProps {
  readonly domainId: string;
  /** Sentences without a period. */
  readonly warnings: readonly string[];
  /** The page of the domain with the first step of the safe order. */
  readonly next?: keyof typeof LABELS;
}

const LABELS = { dnssec: 'Open DNSSEC', nameservers: 'Change nameservers' };

/** Warns before a domain leaves this service, with a link to the safe order. Renders nothing without warnings. */
export function LeavingNotice({ domainId, warnings, next = 'dnssec' }: LeavingNoticeProps) {
  if (warnings.length === 0) return null;
  return (
    <div class="alert warning">
      {warnings.map((warning) => (
        <p key={warning}>{warning}.</p>
      ))}
      <MayDo action={next === 'nameservers' ? 'settings' : 'read'}>
        <p class="actions">
          <a class="button quiet" href={`/domains/${domainId}/${next}`}>
            {LABELS[next]}
          </a>
        </p>
      </MayDo>
    </div>
  );
}
