import type { TransferStatus } from '../../../domain/registration/transfers/transfer-state';
import type { Tone } from '../layout/components';

interface TransferLabel {
  readonly label: string;
  readonly tone: Tone;
  readonly lead: string;
}

export const TRANSFER_LABELS: Readonly<Record<TransferStatus, TransferLabel>> = {
  queued: { label: 'queued', tone: 'plain', lead: 'The request is being sent to the registry.' },
  pending: {
    label: 'pending',
    tone: 'plain',
    lead: 'The registry has accepted the request. The present registrar can approve or reject it.',
  },
  approved: {
    label: 'approved',
    tone: 'good',
    lead: 'The registry has approved the transfer. The domain arrives in a moment.',
  },
  completed: { label: 'completed', tone: 'good', lead: 'The domain is in this account.' },
  rejected: { label: 'rejected', tone: 'bad', lead: 'The transfer was rejected. You were not charged.' },
  cancelled: { label: 'cancelled', tone: 'plain', lead: 'The transfer was cancelled. You were not charged.' },
  expired: { label: 'expired', tone: 'bad', lead: 'The transfer did not take place.' },
};
