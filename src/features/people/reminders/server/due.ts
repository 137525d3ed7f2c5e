import { sql } from 'kysely'
import { addDays, daysBetween, type Day } from '#domain/day.ts'
import { formatDay, withCurrency } from '#domain/format.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { isOpen } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { addressesOf } from '#features/people/correspondence/server/index.ts'
import {
  keptCard,
  nameOfPaper,
  openingNumber,
  owedNow,
  type NamedPaper,
} from '#features/sales/documents/server/index.ts'
import type { Plan, ReminderLetter, Step } from '../endpoints.ts'

/** A step whose day fell on a day without letters is made good within so many days; older ones are past. */
const graceDays = 3

/**
 * The step a document has come to: the latest whose day is not past for long and after which it was not
 * reminded yet; undefined when there is nothing to say today.
 */
export function stepFor(
  dueDay: Day,
  today: Day,
  steps: readonly Step[],
  lastDays: number | null,
): Step | undefined {
  const late = daysBetween(dueDay, today)
  return steps
    .filter(({ days }) => days <= late && late - days <= graceDays && (lastDays === null || lastDays < days))
    .reduce<Step | undefined>((best, one) => (best && best.days > one.days ? best : one), undefined)
}

interface Candidate extends NamedPaper {
  id: string
  number: number
  due: Day
  currency: string
  open: number
  openInCurrency: number
  pageKey: string
  lastDays: number | null
  customerId: string
  customer: string
  email: string | null
  language: Language
  isPaused: boolean
}

export interface DueLetter extends ReminderLetter {
  opens: { id: string; openAgorot: number; days: number }[]
  /** The heading above its text, as it is stored with the message. */
  card: string
}

/**
 * The reminders of a day: one for each customer with a debt that reached a step, in the customer's language, listing
 * all such debts.
 */
export async function lettersOf(
  ctx: Ctx,
  plan: Pick<Plan, 'steps' | 'typeIds' | 'leastAgorot'>,
  day: Day,
): Promise<DueLetter[]> {
  if (!plan.steps.length) return []
  const days = plan.steps.map((step) => step.days)
  const { rows } =
    await sql<Candidate>`select d.id, d.type, d.number, ${openingNumber('d')} as opening, d.due_day as due,
        d.currency, w.owed as open,
      w.owed_in_currency as "openInCurrency", d.page_key as "pageKey",
      (select max(r.days) from reminders r where r.company_id = d.company_id and r.document_id = d.id) as
      "lastDays",
      c.id as "customerId", c.name as customer, c.email, c.language,
      exists (select 1 from reminder_pauses s where s.company_id = c.company_id and s.customer_id = c.id
      and (s.until is null or s.until >= ${day})) as "isPaused"
    from documents d join ${owedNow(ctx)} w on w.id = d.id and w.owed > 0
      join parties p on p.company_id = d.company_id and p.id = d.customer_id
      join parties c on c.company_id = p.company_id and c.id = coalesce(p.merged_into, p.id)
    where d.company_id = ${ctx.companyId} and d.open_agorot > 0 and ${isOpen('d')}
      and c.role = 'customer'
      and d.due_day between ${addDays(day, -Math.max(...days) - graceDays)}
      and ${addDays(day, -Math.min(...days))}
      ${plan.typeIds.length ? sql`and c.type_id = any(${plan.typeIds}::uuid[])` : sql``}
    order by c.name, c.id, due, d.day, d.number`.execute(ctx.tx)
  const company = await companyOf(ctx)
  const groups = new Map<string, (Candidate & { step: Step })[]>()
  for (const row of rows) {
    const step = stepFor(row.due, day, plan.steps, row.lastDays)
    if (step) groups.set(row.customerId, [...(groups.get(row.customerId) ?? []), { ...row, step }])
  }
  const letters: DueLetter[] = []
  for (const group of groups.values()) {
    const openAgorot = group.reduce((sum, row) => sum + row.open, 0)
    if (openAgorot < plan.leastAgorot) continue
    const first = group[0]!
    const { language } = first
    // The words of the debt that is latest.
    const step = group.reduce((worst, row) => (row.step.days > worst.days ? row.step : worst), first.step)
    const tone = step.days < 0 ? 'before' : step.days <= 7 ? 'due' : 'late'
    const own = step.texts[language]
    const values = {
      customer: first.customer,
      business: company.name,
      total: totalOf(group, language),
      documents: group.map((row) => lineOf(ctx, row, language)).join('\n\n'),
    }
    const to = await addressesOf(ctx, { id: first.customerId, email: first.email })
    letters.push({
      customerId: first.customerId,
      customer: first.customer,
      language,
      days: step.days,
      to,
      subject: fill(own?.subject || say(language, `reminders.mail.${tone}.subject`), values),
      text: fill(own?.text || say(language, `reminders.mail.${tone}.text`), values),
      card: keptCard(language, {
        amount: values.total,
        ...(group.length === 1 ? { dueDay: first.due, url: pageOf(ctx, first) } : {}),
      }),
      openAgorot,
      documents: group.map((row) => ({
        id: row.id,
        type: row.type,
        number: row.number,
        opening: row.opening,
        dueDay: row.due,
        currency: row.currency,
        openInCurrencyAgorot: row.openInCurrency,
      })),
      state: first.isPaused ? 'paused' : to.length ? 'send' : 'noMail',
      opens: group.map((row) => ({ id: row.id, openAgorot: row.open, days: row.step.days })),
    })
  }
  return letters
}

/** Amounts in different currencies are not added up. */
function totalOf(rows: Candidate[], language: Language): string {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(row.currency, (sums.get(row.currency) ?? 0) + row.openInCurrency)
  return [...sums].map(([currency, sum]) => withCurrency(sum, currency, language)).join(' + ')
}

const pageOf = (ctx: Ctx, { pageKey }: Candidate): string => `${siteOf(ctx.app)}/paymentdoc/${pageKey}`

const lineOf = (ctx: Ctx, row: Candidate, language: Language): string =>
  `${say(language, 'reminders.mail.line', {
    document: nameOfPaper(language, row),
    day: formatDay(row.due),
    sum: withCurrency(row.openInCurrency, row.currency, language),
  })}\n${pageOf(ctx, row)}`

const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\[(\w+)\]/g, (whole, name: string) => values[name] ?? whole)
