import { inviteAccountant } from '../../accountant/server/index.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { invite, settleRights } from '../../team/server/index.ts'

/** The people round a business: two sets of rights with somebody asked to come for each, and the accountant. Nobody gets a letter. */
export async function addPeople(ctx: Ctx): Promise<void> {
  for (const one of [
    { fullName: 'דנה לוי', email: 'dana@pinkas.example', job: 'מכירות ומשרד', starter: 'sales' },
    { fullName: 'אבי פרץ', email: 'avi@pinkas.example', job: 'טכנאי', starter: 'expensesOnly' },
  ] as const)
    await invite(ctx, { ...one, typeId: 9, subTypeId: 0, noLetter: true }, await settleRights(ctx, { starter: one.starter }, undefined))
  await inviteAccountant(ctx, {
    name: 'רו״ח משה אלון',
    office: 'אלון ושות׳',
    email: 'alon@pinkas.example',
    contents: ['income', 'expenses', 'vat', 'trialBalance'],
    noLetter: true,
  })
}
