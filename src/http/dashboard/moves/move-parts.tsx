import type { ShownMoveStatus } from '../../../domain/registration/account-move';
import { Badge, type Tone } from '../layout/components';

const STATUSES: Readonly<Record<ShownMoveStatus, readonly [tone: Tone, label: string]>> = {
  open: ['warning', 'undecided'],
  accepted: ['good', 'accepted'],
  rejected: ['plain', 'rejected'],
  withdrawn: ['plain', 'withdrawn'],
  expired: ['plain', 'expired'],
};

export function MoveBadge({ status }: { readonly status: ShownMoveStatus }) {
  const [tone, label] = STATUSES[status];
  return <Badge tone={tone}>{label}</Badge>;
}

export function EffectList({ effects }: { readonly effects: readonly string[] }) {
  return (
    <ul>
      {effects.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  );
}
