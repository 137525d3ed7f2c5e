import { failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'

/** To whom something goes, and in which words. */
export interface Ready {
  customerId: string
  mail: string
  phone: string
  subject: string
  text: string
}

/** Whether the addresses of customers are kept from somebody: everywhere in pest control alike. */
export const keepsAddresses = ({ caller }: Pick<Ctx, 'caller'>): boolean => !can(caller, 'customers.see')

/** What the sender is shown: where addresses are hidden from them, only whether one is known. */
export const toldTo = (ctx: Ctx, ready: Ready): Ready & { isMailKept: boolean } =>
  keepsAddresses(ctx)
    ? { ...ready, mail: '', phone: '', isMailKept: ready.mail !== '' }
    : { ...ready, isMailKept: false }

/** The address that was given, or else the one that is known. */
export function mailTo(ready: Ready, given: string | undefined): string {
  if (!given && !ready.mail) throw failField('to', 'fields.need')
  return given || ready.mail
}
