import { inject, injectable } from '../ports/inject';
import { isMailKind, MAIL_RULES, type MailKind } from '../../domain/access/notices/notice';
import { isTimeZone } from '../../domain/access/notices/time-zone';
import { ValidationError } from '../../domain/shared/validation-error';
import { UnitOfWork } from '../ports/storage/unit-of-work';

interface ChosenSettings {
  readonly personId: string;
  readonly timeZone: string;
  /** The kinds that the person does not want. */
  readonly switchedOff: readonly string[];
}

/** What a person gets by mail, in all of their accounts, and in which time zone. */
@injectable()
export class ChangeMailSettings {
  constructor(@inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'mailSettings'>) {}

  /** @throws ValidationError for an unknown time zone, and for a kind that cannot be switched off */
  async execute({ personId, timeZone, switchedOff }: ChosenSettings): Promise<void> {
    if (!isTimeZone(timeZone)) throw ValidationError.of('time_zone', 'must be a time zone such as Europe/Paris');
    if (!switchedOff.every(isOptional)) throw ValidationError.of('notices', 'has a notice that cannot be switched off');
    await this.unitOfWork.run(({ mailSettings }) =>
      mailSettings.save({ personId, timeZone, switchedOff: [...new Set(switchedOff)].toSorted() }),
    );
  }

  /** By a signed link. A repetition changes nothing. */
  async unsubscribe(personId: string, kind: MailKind): Promise<void> {
    await this.unitOfWork.run(async ({ mailSettings }) => {
      const settings = await mailSettings.lock(personId);
      if (settings.switchedOff.includes(kind)) return;
      await mailSettings.save({ ...settings, switchedOff: [...settings.switchedOff, kind].toSorted() });
    });
  }
}

function isOptional(kind: string): boolean {
  return isMailKind(kind) && MAIL_RULES[kind].isOptional;
}
