export interface LeavingNoticeProps {
  readonly domainId: string;
  /** Sentences without a period. */
  readonly warnings: readonly string[];
}

/** Warns before a signed domain leaves this service, with a link to the safe order. Renders nothing without warnings. */
export function LeavingNotice({ domainId, warnings }: LeavingNoticeProps) {
  if (warnings.length === 0) return null;
  return (
    <div class="alert warning">
      {warnings.map((warning) => (
        <p key={warning}>{warning}.</p>
      ))}
      <p class="actions">
        <a class="button quiet" href={`/domains/${domainId}/dnssec`}>
          Open DNSSEC
        </a>
      </p>
    </div>
  );
}
