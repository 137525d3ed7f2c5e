import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays, weekday } from '#domain/day.ts'
import { formatMoney } from '#domain/format.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import type { Job } from '#kit/server/jobs.ts'
import { deliverQueued } from '#kit/server/mail.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type * as calls from '../endpoints.ts'
import { houseOf } from './house.ts'

/** Neighbours write politely, and nobody twice in a week; what is of this month alone is no debt yet. */
export async function remind(
  ctx: Ctx,
  { id, customers }: z.output<typeof calls.remindTenants.input>,
): Promise<{ sent: number; recently: number; withoutMail: number }> {
  const house = await houseOf(ctx, id)
  const company = await companyOf(ctx)
  const before = `${ctx.today.slice(0, 7)}-01`
  const { rows } = await sql<{
    customerId: string
    name: string
    email: string | null
    language: Language | null
    agorot: number
    flats: string
  }>`
    select d.payer_id as "customerId", p.name, p.email, p.language, sum(d.agorot - d.paid_agorot)::bigint as agorot, string_agg(distinct concat_ws('/', nullif(f.entrance, ''), f.number), ', ') as flats
    from committee_dues d join committee_flats f on f.company_id = d.company_id and f.id = d.flat_id join parties p on p.company_id = d.company_id and p.id = d.payer_id
    where d.company_id = ${ctx.companyId} and f.building_id = ${id} and d.paid_agorot < d.agorot and d.month < ${before} ${customers ? sql`and d.payer_id = any(${customers}::uuid[])` : sql``}
    group by d.payer_id, p.name, p.email, p.language order by p.name`.execute(ctx.tx)
  if (!rows.length) throw fail('committee.nobodyOwes')
  const week = addDays(ctx.today, -weekday(ctx.today))
  let [sent, recently, withoutMail] = [0, 0, 0]
  for (const one of rows) {
    if (!one.email) {
      withoutMail++
      continue
    }
    const messageId = newId()
    const { rows: first } = await sql`insert into committee_reminders (company_id, id, building_id, customer_id, week, agorot, message_id)
      values (${ctx.companyId}, ${newId()}, ${id}, ${one.customerId}, ${week}, ${one.agorot}, ${messageId}) on conflict (company_id, building_id, customer_id, week) do nothing returning 1`.execute(
      ctx.tx,
    )
    if (!first.length) {
      recently++
      continue
    }
    const language = one.language ?? company.language
    const said = {
      name: one.name,
      house: house.name,
      flats: one.flats,
      sum: formatMoney(one.agorot),
      treasurer: house.treasurer || company.name,
    }
    await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id, created_by)
      values (${ctx.companyId}, ${messageId}, 'reminder', 'mail', ${one.email}, ${say(language, 'committee.mail.subject', said)}, ${say(language, 'committee.mail.text', said)}, ${one.customerId},
        ${ctx.caller.userId.startsWith('00000000') ? null : ctx.caller.userId})`.execute(ctx.tx)
    await ctx.later('committee.mail', { messageId })
    sent++
  }
  await ctx.audit('committee.remind', 'committeebuildings', id, undefined, { sent, recently, withoutMail })
  return { sent, recently, withoutMail }
}

export const mailJob: Job = (ctx, { messageId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => ({ from: await companyOf(ctx) }))
