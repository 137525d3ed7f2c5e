import { sql } from 'kysely'
import { byMonth, type PaidOut } from '#domain/settlement/instalments.ts'
import { owedByDay, type OwedDay } from '#domain/settlement/reconcile.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'

export interface OwedRow extends OwedDay {
  terminalId: string
  terminal: string
  carried: number
  owed: number
}

/** A terminal as it was named, or by its acquirer, in the reader's language. */
export const terminalName = (
  ctx: Ctx,
  { terminal, gateway }: { terminal: string; gateway: string },
): string => terminal || say(ctx.caller.language, `cardCharges.acquirer.${gateway}`)

/**
 * What each acquirer owes of each day: charges less what went back, and less what came to the bank with its
 * fee, the oldest first.
 */
export async function owedRows(ctx: Ctx): Promise<OwedRow[]> {
  const { rows } = await sql<{
    terminalId: string
    terminal: string
    gateway: string
    carried: number
    days: OwedDay[]
  }>`
    select t.id as "terminalId", t.name as terminal, t.gateway,
      (select coalesce(sum(d.net_agorot + d.fee_agorot + d.fee_vat_agorot), 0)::bigint
      from acquirer_deposits d
        where d.company_id = t.company_id and d.terminal_id = t.id and d.state = 'booked') as carried,
      coalesce((select
      jsonb_agg(jsonb_build_object('day', x.day, 'charged', x.charged, 'refunded', x.refunded)) from (
        select y.day, sum(y.charged)::bigint as charged, sum(y.refunded)::bigint as refunded from (
          select (c.paid_at at time zone 'Asia/Jerusalem')::date::text as day, c.amount_agorot as charged,
            0 as refunded from charges c
            where c.company_id = t.company_id and c.terminal_id = t.id and c.state = 'paid'
              and c.currency = 'ILS'
          union all
          select (r.updated_at at time zone 'Asia/Jerusalem')::date::text, 0, r.amount_agorot
          from charge_refunds r
            join charges c on c.company_id = r.company_id and c.id = r.charge_id
            where r.company_id = t.company_id and c.terminal_id = t.id and r.state = 'done'
              and c.currency = 'ILS'
          union all
          select x.told_on::text, 0, x.amount_agorot from charge_disputes x
            join charges c on c.company_id = x.company_id and c.id = x.charge_id
            where x.company_id = t.company_id and c.terminal_id = t.id and x.state <> 'won'
              and c.currency = 'ILS') y group by y.day) x), '[]'::jsonb) as days
    from terminals t where t.company_id = ${ctx.companyId} order by t.position, t.id`.execute(ctx.tx)
  return rows.flatMap(({ days, carried, terminalId, ...of }) =>
    owedByDay(days, carried).map((one) => ({ ...one, terminal: terminalName(ctx, of), terminalId })),
  )
}

/**
 * The same by the month in which it is paid out: instalments each in their own, and what came to the bank
 * pays the oldest first.
 */
export async function owedByMonth(ctx: Ctx): Promise<OwedRow[]> {
  const { rows } = await sql<{
    terminalId: string
    terminal: string
    gateway: string
    carried: number
    charges: PaidOut[]
  }>`
    select t.id as "terminalId", t.name as terminal, t.gateway,
      (select coalesce(sum(d.net_agorot + d.fee_agorot + d.fee_vat_agorot), 0)::bigint
      from acquirer_deposits d
        where d.company_id = t.company_id and d.terminal_id = t.id and d.state = 'booked') as carried,
      coalesce((select
      jsonb_agg(jsonb_build_object('day', (c.paid_at at time zone 'Asia/Jerusalem')::date, 'agorot',
      c.amount_agorot,
          'instalments', coalesce(c.instalments, 1), 'backAgorot',
          c.given_back_agorot + (select coalesce(sum(x.amount_agorot), 0) from charge_disputes x
            where x.company_id = c.company_id and x.charge_id = c.id and x.state <> 'won')))
        from charges c where c.company_id = t.company_id and c.terminal_id = t.id and c.state = 'paid'
          and c.currency = 'ILS'), '[]'::jsonb) as charges
    from terminals t where t.company_id = ${ctx.companyId} order by t.position, t.id`.execute(ctx.tx)
  return rows.flatMap(({ charges, carried, terminalId, ...of }) =>
    owedByDay(byMonth(charges), carried).map((one) => ({
      ...one,
      terminal: terminalName(ctx, of),
      terminalId,
    })),
  )
}
