import { alertsCampaign } from './alerts';
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

/** Longest in CI first, so that the last one does not run alone. */
export const CAMPAIGNS: readonly Campaign[] = [
  dnssecYearsCampaign,
  faultsCampaign,
  certificatesCampaign,
  signedZonesCampaign,
  alertsCampaign,
  backupCampaign,
  restartsCampaign,
  replicasCampaign,
  updatesCampaign,
  transfersCampaign,
  takeoverCampaign,
  slowDiskCampaign,
  crashCampaign,
  listsCampaign,
  retentionCampaign,
  recordTypesCampaign,
  importCampaign,
  registrarsCampaign,
  replaysCampaign,
  clusterCampaign,
  sharedLimitsCampaign,
];
