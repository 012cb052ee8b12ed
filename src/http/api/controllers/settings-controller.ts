import { inject, injectable } from 'inversify';
import { ChangeAutoRenewal } from '../../../application/registration/change-auto-renewal';
import { ChangeNameservers } from '../../../application/registration/change-nameservers';
import { ChangeRegistrant } from '../../../application/registration/change-registrant';
import { ChangeTransferLock } from '../../../application/registration/change-transfer-lock';
import { IssueAuthCode } from '../../../application/registration/issue-auth-code';
import { requesterOf, type ApiHandler } from '../caller';
import { AutoRenewalBody, ContactsBody, NameserversBody, TransferLockBody } from '../dto/domain-bodies';
import { toRegistrant } from '../dto/registrant-body';
import { validated } from '../dto/validated';
import { changedDomain, shortRegistrant } from '../presenters/domain-presenter';

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
    const domain = (await this.changeNameservers.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', hosts })).toState();
    res.json(changedDomain(domain, { nameservers: domain.nameservers }));
  };

  putContacts: ApiHandler = async (req, res) => {
    const registrant = toRegistrant(validated(ContactsBody, req.body).registrant);
    const domain = (await this.changeRegistrant.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', registrant })).toState();
    res.json(changedDomain(domain, { contacts: { registrant: shortRegistrant(domain.registrant) } }));
  };

  putAutoRenewal: ApiHandler = async (req, res) => {
    const { auto_renew: autoRenew } = validated(AutoRenewalBody, req.body);
    const domain = (await this.changeAutoRenewal.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', autoRenew })).toState();
    res.json(changedDomain(domain, { auto_renew: domain.autoRenew }));
  };

  putTransferLock: ApiHandler = async (req, res) => {
    const { transfer_locked: locked } = validated(TransferLockBody, req.body);
    const domain = (await this.changeTransferLock.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', locked })).toState();
    res.json(changedDomain(domain, { transfer_locked: domain.transferLocked }));
  };

  postAuthCode: ApiHandler = async (req, res) => {
    const { domain, authCode } = await this.issueAuthCode.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '' });
    const { id, name } = domain.toState();
    res.setHeader('Cache-Control', 'no-store');
    res.json({ id, name, auth_code: authCode.code, expires_at: authCode.expiresAt.toISOString() });
  };
}
