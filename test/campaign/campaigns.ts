import type { Campaign } from './campaign';
import { crashCampaign } from './crash';
import { restartsCampaign } from './restarts';

export const CAMPAIGNS: readonly Campaign[] = [crashCampaign, restartsCampaign];
