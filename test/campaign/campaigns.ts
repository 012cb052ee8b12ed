import { backupCampaign } from './backup';
import type { Campaign } from './campaign';
import { certificatesCampaign } from './certificates';
import { clusterCampaign } from './cluster';
import { crashCampaign } from './crash';
import { dnssecYearsCampaign } from './dnssec-years';
import { faultsCampaign } from './faults';
import { importCampaign } from './import';
import { listsCampaign } from './lists';
import { recordTypesCampaign } from './record-types';
import { registrarsCampaign } from './registrars';
import { replaysCampaign } from './replays';
import { replicasCampaign } from './replicas';
import { restartsCampaign } from './restarts';
import { retentionCampaign } from './retention';
import { sharedLimitsCampaign } from './shared-limits';
import { signedZonesCampaign } from './signed-zones';
import { slowDiskCampaign } from './slow-disk';
import { takeoverCampaign } from './takeover';
import { transfersCampaign } from './transfers';
import { updatesCampaign } from './updates';

export const CAMPAIGNS: readonly Campaign[] = [
  backupCampaign,
  certificatesCampaign,
  clusterCampaign,
  crashCampaign,
  dnssecYearsCampaign,
  faultsCampaign,
  importCampaign,
  listsCampaign,
  recordTypesCampaign,
  registrarsCampaign,
  replaysCampaign,
  replicasCampaign,
  restartsCampaign,
  retentionCampaign,
  sharedLimitsCampaign,
  signedZonesCampaign,
  slowDiskCampaign,
  takeoverCampaign,
  transfersCampaign,
  updatesCampaign,
];
