import type { Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { clockText, ordinaryLength, termsOn, usualTerms } from '#domain/hours/hours.ts'
import { forbidden, failAt } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { askForSignature, sheetPdf, signingRows } from '#features/sales/signing/server/index.ts'
import type { AskGiven } from '#features/sales/signing/shapes.ts'
import { allTerms, personOf } from './sheets.ts'

interface Given extends AskGiven {
  personId: string
  job: string
  superior: string
  from: Day
  until: Day | null
  pay: string
  payDay: number
  social: string
}

/**
 * The written notice of terms of work that an employer owes a worker within thirty days of the first day (Notice to
 * the Employee and Candidate Law, 2002, sections 1-2: both sides, beginning and end, the job, the direct superior,
 * wage and its day, length of the day and the week, day of rest, social payments), for the worker to sign as
 * received. Day, week and rest are those that hours are calculated by.
 */
export async function askNotice(
  ctx: Ctx,
  { personId, job, superior, from, until, pay, payDay, social, ...given }: Given,
): Promise<{ id: string }> {
  if (!can(ctx.caller, 'signing.send')) throw forbidden({ rule: 'signing.send' })
  if (until && until < from) throw failAt('until', 'time.endFirst')
  const person = await personOf(ctx, personId)
  const company = await companyOf(ctx)
  const language = given.signer.language ?? company.language
  const terms = (await allTerms(ctx)).get(personId) ?? []
  const own = termsOn(terms, from > ctx.today ? from : ctx.today) ?? usualTerms
  const t = (key: string, params?: Record<string, string | number>) =>
    say(language, `time.notice.sheet.${key}`, params)
  const { day, week } = ordinaryLength(own, from)
  const title = t('title')
  const { pdf, fields } = await sheetPdf(ctx, {
    language,
    title,
    text: [
      t('law'),
      t('sides', { business: company.name, taxId: company.taxId, person: given.signer.name }),
      `${t('from', { day: formatDay(from) })} ${until ? t('until', { day: formatDay(until) }) : t('open')}`,
      t('job', { job }),
      superior && t('superior', { name: superior }),
      t('pay', { pay }),
      t('payDay', { day: payDay }),
      t('week', {
        days: own.days,
        day: clockText(day),
        week: clockText(week),
        rest: t(`rest${own.restDay}`),
      }),
      social && t('social', { social }),
      t('keeps'),
      t('signs'),
    ]
      .filter(Boolean)
      .join('\n\n'),
    rows: signingRows(language),
  })
  const { id } = await askForSignature(ctx, {
    name: `${title} · ${person.name}`.slice(0, 120),
    paper: { pdf, fields },
    signers: [{ ...given.signer, role: 'r1' }],
    purpose: 'notice',
    purposeId: personId,
    message: given.message,
    language,
    ...(given.expiresDay ? { expiresDay: given.expiresDay } : {}),
  })
  await ctx.audit('time.notice', 'workers', personId, undefined, { person: person.name, from, job })
  return { id }
}
