import { IsBoolean, IsIn } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { ChangeSigning, type SignedDomain } from '../../../../application/dnssec/change-signing';
import { ReadSigning, type SigningReport } from '../../../../application/dnssec/read-signing';
import { RollKey } from '../../../../application/dnssec/roll-key';
import { acceptedAfter } from '../../../../domain/dns/dnssec/parent/cds-scan';
import type { Denial } from '../../../../domain/dns/dnssec/zone-signing-state';
import { dsRecordOf, type DsRecord } from '../../../../domain/dns/delegation/ds-record';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { Optional, assertNoMembers, validated } from '../../validated';

class SigningBody {
  @IsBoolean() enabled!: boolean;
  @Optional() @IsIn(['nsec', 'nsec3']) denial?: Denial;
}

/** DNSSEC of a domain: the switch, its progress, key rollovers. */
@injectable()
export class SigningController {
  constructor(
    @inject(ReadSigning) private readonly readSigning: ReadSigning,
    @inject(ChangeSigning) private readonly changeSigning: ChangeSigning,
    @inject(RollKey) private readonly rollKey: RollKey,
  ) {}

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(signingReport(await this.readSigning.execute({ ...caller, domainId: params.id })));
  }

  async put(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { enabled, denial } = validated(SigningBody, request.body);
    const command = { ...request.caller, domainId: request.params.id, enabled, denial };
    return toResult(await this.changeSigning.execute(command, request.storing(toResult)));
  }

  async roll(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    const command = { ...request.caller, domainId: request.params.id };
    return toResult(await this.rollKey.execute(command, request.storing(toResult)));
  }
}

function toResult(signed: SignedDomain): JsonResult {
  return ok(shownSigning(signed));
}

/** Zone key and secure entry point (RFC 4034 section 2.1.1). */
const KEY_FLAGS = 257;

/** A DS record (RFC 4034 section 5.1). */
export function presentDsRecord({ keyTag, algorithm, digestType, digest }: DsRecord): object {
  return { key_tag: keyTag, algorithm, digest_type: digestType, digest };
}

/** Whether a zone is signed, and what the service waits for. */
function shownSigning({ domain, signing }: SignedDomain): object {
  const { id, name } = domain.toState();
  const state = signing?.toState();
  return {
    id,
    name,
    enabled: signing?.isWanted ?? false,
    state: signing?.shownState ?? 'off',
    since: state?.since.toISOString() ?? null,
    waits_for: signing?.waitsFor ?? null,
    until: state?.until?.toISOString() ?? null,
    denial: state?.denial ?? null,
    rollover: signing?.isRollingOver ?? false,
    reason: state?.problem?.reason ?? null,
    remedy: state?.problem?.remedy ?? null,
    ds: (state?.dsRecords ?? []).map(presentDsRecord),
  };
}

/** What CDS records may do, and the last scan for them. */
function shownCds({ policy, scan }: NonNullable<SigningReport['cds']>): object {
  return {
    policy,
    outcome: scan?.outcome ?? null,
    reason: scan?.reason ?? null,
    scanned_at: scan?.scannedAt.toISOString() ?? null,
    waiting_ds: (scan?.waiting?.dsRecords ?? []).map(presentDsRecord),
    accepted_after: scan?.waiting ? acceptedAfter(scan.waiting).toISOString() : null,
  };
}

/** What the parent should have, and what became of the last NOTIFY to it. */
function shownParent({ ds, notice }: NonNullable<SigningReport['parent']>): object {
  return {
    ds: ds.map(presentDsRecord),
    notice: notice && {
      outcome: notice.outcome,
      receiver: notice.receiver,
      error: notice.error,
      sent_at: notice.sentAt.toISOString(),
    },
  };
}

/** Also with the keys. */
function signingReport(report: SigningReport): object {
  const { name } = report.domain.toState();
  return {
    ...shownSigning(report),
    supported: report.isSupported,
    parent: report.parent ? shownParent(report.parent) : null,
    cds: report.cds ? shownCds(report.cds) : null,
    keys: report.keys.map(({ keyTag, algorithm, publicKey, createdAt, retiredAt }) => ({
      key_tag: keyTag,
      algorithm,
      public_key: publicKey,
      ds: presentDsRecord(dsRecordOf(name, { flags: KEY_FLAGS, algorithm, publicKey })),
      created_at: createdAt.toISOString(),
      retired_at: retiredAt?.toISOString() ?? null,
    })),
  };
}
