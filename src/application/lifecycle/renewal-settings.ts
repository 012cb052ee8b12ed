import type { RenewalSchedule } from '../../domain/registration/lifecycle';

export type RenewalSettings = RenewalSchedule;
export const RenewalSettings = Symbol('RenewalSettings');
