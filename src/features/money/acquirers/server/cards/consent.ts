import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { Charge } from '../charges/charge.ts'

/** What whoever lets his card be kept agrees to, in his language; it is kept with the card word for word. */
export const consentText = async (ctx: Ctx, language: Charge['language']): Promise<string> =>
  say(language, 'acquirers.consent', { business: (await companyOf(ctx)).name })
