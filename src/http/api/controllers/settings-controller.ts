import { inject, injectable } from 'inversify';
import type { StoredResponse } from '../../../application/idempotency/idempotent-requests';
import { ChangeAutoRenewal } from '../../../application/registration/change-auto-renewal';
import { ChangeNameservers } from '../../../application/registration/change-nameservers';
import { ChangeRegistrant } from '../../../application/registration/change-registrant';
import { ChangeTransferLock } from '../../../application/registration/change-transfer-lock';
import { IssueAuthCode } from '../../../application/registration/issue-auth-code';
import type { Domain } from '../../../domain/registration/domain';
import { requesterOf, type ApiHandler } from '../caller';
import { applyLocalChange } from '../change-ours';
import { AutoRenewalBody, ContactsBody, NameserversBody, TransferLockBody } from '../dto/domain-bodies';
import { toRegistrant } from '../dto/registrant-body';
import { assertNoMembers, validated } from '../dto/validated';
import { changedDomain } from '../presenters/domain-presenter';
import { sendOutcome } from '../presenters/outcome-presenter';

/** What can be set on a domain. */
@injectable()
export class SettingsController {
  constructor(
    @inject(ChangeNameservers) private readonly changeNameservers: ChangeNameservers,
    @inject(ChangeRegistrant) private readonly changeRegistrant: ChangeRegistrant,
    @inject(ChangeAutoRenewal) private readonly changeAutoRenewal: ChangeAutoRenewal,
    @inject(ChangeTransferLock) private readonly changeTransferLock: ChangeTransferLock,
    @inject(IssueAuthCode) private readonly issueAuthCode: IssueAuthCode,
  ) {}

  putNameservers: ApiHandler = async (req, res) => {
    const { nameservers: hosts } = validated(NameserversBody, req.body);
    sendOutcome(
      res,
      await this.changeNameservers.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', hosts }),
    );
  };

  putContacts: ApiHandler = async (req, res) => {
    const registrant = toRegistrant(validated(ContactsBody, req.body).registrant);
    sendOutcome(
      res,
      await this.changeRegistrant.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', registrant }),
    );
  };

  putAutoRenewal: ApiHandler = async (req, res) => {
    const { auto_renew: autoRenew } = validated(AutoRenewalBody, req.body);
    const command = { ...requesterOf(res), domainId: req.params['id'] ?? '', autoRenew };
    await applyLocalChange(res, (alongside) => this.changeAutoRenewal.execute(command, alongside), autoRenewalChanged);
  };

  putTransferLock: ApiHandler = async (req, res) => {
    const { transfer_locked: locked } = validated(TransferLockBody, req.body);
    sendOutcome(
      res,
      await this.changeTransferLock.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', locked }),
    );
  };

  postAuthCode: ApiHandler = async (req, res) => {
    assertNoMembers(req.body);
    sendOutcome(res, await this.issueAuthCode.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '' }));
  };
}

function autoRenewalChanged(domain: Domain): StoredResponse {
  const state = domain.toState();
  return { status: 200, headers: {}, body: changedDomain(state, { auto_renew: state.autoRenew }) };
}
