import type { Campaign } from './campaign';
import { crashCampaign } from './crash';

export const CAMPAIGNS: readonly Campaign[] = [crashCampaign];
