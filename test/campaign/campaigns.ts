import type { Campaign } from './campaign';
import { crashCampaign } from './crash';
import { replicasCampaign } from './replicas';
import { restartsCampaign } from './restarts';
import { retentionCampaign } from './retention';
import { slowDiskCampaign } from './slow-disk';

export const CAMPAIGNS: readonly Campaign[] = [crashCampaign, replicasCampaign, restartsCampaign, retentionCampaign, slowDiskCampaign];
