import { alertsCampaign } from './outages/alerts';
import { backupCampaign } from './data/backup';
import type { Campaign } from './campaign';
import { certificatesCampaign } from './dns/certificates';
import { confirmedAnswersCampaign } from './dns/confirmed-answers';
import { clusterCampaign } from './outages/cluster';
import { crashCampaign } from './outages/crash';
import { domainConnectCampaign } from './dns/domain-connect';
import { domainConnectReferenceCampaign } from './dns/domain-connect-reference';
import { dnssecYearsCampaign } from './dns/dnssec-years';
import { faultsCampaign } from './outages/faults';
import { eventsCampaign } from './events/events';
import { importCampaign } from './registries/import';
import { listsCampaign } from './data/lists';
import { proposalsCampaign } from './proposals/proposals';
import { recordTypesCampaign } from './dns/record-types';
import { registrarsCampaign } from './registries/registrars';
import { replaysCampaign } from './outages/replays';
import { replicasCampaign } from './outages/replicas';
import { restartsCampaign } from './outages/restarts';
import { retentionCampaign } from './data/retention';
import { sharedLimitsCampaign } from './outages/shared-limits';
import { signedZonesCampaign } from './dns/signed-zones';
import { slowDiskCampaign } from './outages/slow-disk';
import { takeoverCampaign } from './outages/takeover';
import { transfersCampaign } from './registries/transfers';
import { zoneLivesCampaign } from './dns/zone-lives';
import { statesCampaign } from './hosting/states';
import { updatesCampaign } from './dns/updates';
import { upgradeCampaign } from './outages/upgrade';
import { zonesCampaign } from './hosting/zones';

/** They wait for other programs most of the time. By duration in CI, longest first, so that the last one does not run alone. */
export const WAITING: readonly Campaign[] = [
  registrarsCampaign,
  dnssecYearsCampaign,
  faultsCampaign,
  certificatesCampaign,
  slowDiskCampaign,
  backupCampaign,
  upgradeCampaign,
  importCampaign,
  zonesCampaign,
  eventsCampaign,
  statesCampaign,
  proposalsCampaign,
  restartsCampaign,
  crashCampaign,
  listsCampaign,
  replicasCampaign,
  confirmedAnswersCampaign,
  zoneLivesCampaign,
  transfersCampaign,
  takeoverCampaign,
  replaysCampaign,
  alertsCampaign,
  clusterCampaign,
  sharedLimitsCampaign,
];

/** They keep a core busy. Longest in CI first. */
export const COMPUTING: readonly Campaign[] = [
  signedZonesCampaign,
  updatesCampaign,
  retentionCampaign,
  recordTypesCampaign,
  domainConnectCampaign,
  domainConnectReferenceCampaign,
];

export const CAMPAIGNS: readonly Campaign[] = [...WAITING, ...COMPUTING];
