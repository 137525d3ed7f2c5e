import { sql } from 'kysely'
import { dayInJerusalem, daysBetween, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { dueRows, eachOf, everyRound, serveDue } from '#kit/server/work/dueRows.ts'
import { askReplaced, cardById, lastDay, terminalFor } from '#features/money/acquirers/server/index.ts'
import { letter, makeRequest, requestOf } from './requests.ts'

/** Days before its expiry on which a card's owner is notified. */
const steps = [60, 30, 7] as const

const endingCards = dueRows<Day>({
  name: 'savedCards.warn',
  given: (app) => dayInJerusalem(app.now()),
  due: (_app, today) => sql`select company_id, id::text as key, last_day as at from (
      select c.company_id, c.id, least((c.expiry || '-01')::date + interval '1 month' - interval '1 day',
        c.token_deleted_on) as last_day,
        least((c.expiry || '-01')::date + interval '1 month' - interval '1 day', c.token_deleted_on)::date -
        ${today}::date as days_left
      from cards c where c.state = 'active') s
    where days_left between 0 and 60 and not exists (select 1 from card_warnings w
      where w.company_id = s.company_id and w.card_id = s.id
        and w.days = case when days_left <= 7 then 7 when days_left <= 30 then 30 else 60 end)`,
  serve: warn,
})

/**
 * Notifies the owners of expiring cards, with a link for a new one: each step once, only the nearest where several
 * were missed. May run twice, and in several processes at once. Answers how many were notified.
 */
export const warnOfEnds = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, endingCards, { isOver })

async function warn(ctx: Ctx, id: string): Promise<number> {
  const card = await cardById(ctx, id, true)
  const left = daysBetween(ctx.today, lastDay(card))
  const step = steps.findLast((days) => left <= days)
  if (card.id !== id || card.state !== 'active' || step === undefined || left < 0) return 0
  // Those before it were missed, and are not made up for.
  const { rows } = await sql<{ days: number }>`insert into card_warnings (company_id, card_id, days)
    select ${ctx.companyId}, ${id}, d from unnest(${steps.filter((days) => days >= step)}::smallint[]) d
    on conflict do nothing returning days`.execute(ctx.tx)
  if (!rows.some(({ days }) => days === step)) return 0
  await ctx.audit('savedCards.expiring', 'savedCards', id, undefined, { days: left, expiry: card.expiry })
  const { rows: people } = await sql<{ email: string | null }>`select email from parties
    where company_id = ${ctx.companyId} and id = ${card.customer_id} and archived_at is null`.execute(ctx.tx)
  const to = people[0]?.email
  if (!to || !(await terminalFor(ctx, undefined, 'ILS', { deed: 'card' }))) return 0
  const { id: requestId } = await makeRequest(ctx, { customerId: card.customer_id, renewsCardId: id })
  await letter(ctx, await requestOf(ctx, requestId), to, 'expiring', {
    card: `${card.brand} ${card.last4}`.trim(),
    day: formatDay(lastDay(card)),
  })
  return 1
}

const cardsToReplace = dueRows({
  name: 'savedCards.ask',
  due: (app) => sql`select c.company_id, c.id::text as key, c.updated_at as at
    from cards c join parties p on p.company_id = c.company_id and p.id = c.customer_id
    where c.state = 'askAgain' and c.updated_at > ${app.now()}::timestamptz - interval '7 days'
      and p.email is not null and p.archived_at is null
      and not exists (select 1 from card_requests r where r.company_id = c.company_id
      and r.renews_card_id = c.id)`,
  serve: async (ctx, id) => {
    const card = await cardById(ctx, id, true)
    if (card.state !== 'askAgain' || !(await terminalFor(ctx, undefined, 'ILS', { deed: 'card' }))) return 0
    const { rows: people } = await sql<{ email: string | null }>`select email from parties
      where company_id = ${ctx.companyId} and id = ${card.customer_id}
        and archived_at is null`.execute(ctx.tx)
    const email = people[0]?.email
    if (!email) return 0
    const { id: requestId } = await makeRequest(ctx, { customerId: card.customer_id, renewsCardId: id })
    const request = await requestOf(ctx, requestId, true)
    if (request.sent_at) return 0
    await letter(ctx, request, email, 'renew', { card: `${card.brand} ${card.last4}`.trim() })
    return 1
  },
})

/**
 * Asks the owners of cards that can no longer be charged (their terminal was moved, the acquirer refuses) for
 * another one, by the letter a person would send: once for each card, within a week of its end, and not where
 * somebody asked already. Answers how many were asked.
 */
export const askAnew = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, cardsToReplace, { isOver })

/** Owners of cards are notified in the morning; replacements by banks are read once a week. */
export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(
    everyRound(app, 'keeping up saved cards', 10 * 60_000, async (isOver) => {
      const hour = Number(
        new Intl.DateTimeFormat('en', {
          hour: 'numeric',
          hourCycle: 'h23',
          timeZone: 'Asia/Jerusalem',
        }).format(app.now()),
      )
      const isDay = hour >= 8 && hour < 20
      await eachOf(...(isDay ? [() => warnOfEnds(app, isOver), () => askAnew(app, isOver)] : []), () =>
        askReplaced(app, isOver),
      )
    }),
  )
