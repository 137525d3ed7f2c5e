import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { Charge } from '../charges/charge.ts'

/**
 * What the owner of a card agrees to when it is saved, in the owner's language; it is stored with the card word for
 * word.
 */
export const consentText = async (ctx: Ctx, language: Charge['language']): Promise<string> =>
  say(language, 'acquirers.consent', { business: (await companyOf(ctx)).name })

let keeping: ((ctx: Ctx) => Promise<boolean>) | undefined

/** Says whether a business keeps cards of its customers at all: then they are asked while they pay, too. */
export const registerKeeping = (does: (ctx: Ctx) => Promise<boolean>): void => void (keeping = does)

/** What a customer who pays may agree to beside it; '' where no card is saved. */
export const offeredConsent = async (ctx: Ctx, language: Charge['language']): Promise<string> =>
  (await keeping?.(ctx)) ? consentText(ctx, language) : ''
