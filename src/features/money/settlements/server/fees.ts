import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { terminalName } from './owed.ts'

export interface FeeRow {
  terminalId: string
  terminal: string
  /** The first day of the month. */
  month: string
  /** Of deposits of the month, with VAT. */
  booked: number
  /** On the acquirer's invoices of the month, with VAT. */
  invoiced: number
  /**
   * Of these invoices that stand among the expenses beside what deposits booked: fees that would count twice.
   */
  twice: number
}

/** Fees of acquirers by terminal and month: what deposits booked beside what the acquirer billed. */
export async function feeRows(ctx: Ctx): Promise<FeeRow[]> {
  const { rows } = await sql<
    FeeRow & { gateway: string }
  >`select t.id as "terminalId", t.name as terminal, t.gateway, m.month::text as month,
      sum(m.booked)::bigint as booked, sum(m.invoiced)::bigint as invoiced, sum(m.twice)::bigint as twice
    from terminals t join (
      select d.company_id, d.terminal_id, date_trunc('month', d.day)::date as month,
        d.fee_agorot + d.fee_vat_agorot as booked, 0 as invoiced, 0 as twice
        from acquirer_deposits d where d.company_id = ${ctx.companyId} and d.state = 'booked'
      union all
      select i.company_id, i.terminal_id, i.month, 0, i.fee_agorot + i.fee_vat_agorot,
        coalesce((select sum(e.ils_total_agorot) from expenses e where e.company_id = i.company_id
        and e.supplier_number = i.number
          and e.state not in ('cancelled', 'rejected') and e.day between i.month - 31 and i.month + 92
          and not exists (select 1 from acquirer_deposits d where d.company_id = e.company_id
          and d.expense_id = e.id)), 0)
        from acquirer_invoices i where i.company_id = ${ctx.companyId}) m on m.company_id = t.company_id
          and m.terminal_id = t.id
    where t.company_id = ${ctx.companyId} group by t.id, t.name, t.gateway, t.position, m.month
    order by t.position, t.id, m.month`.execute(ctx.tx)
  return rows.map(({ gateway, terminal, ...row }) => ({
    ...row,
    terminal: terminalName(ctx, { terminal, gateway }),
  }))
}

export interface InvoiceGiven {
  terminalId: string
  month: string
  number: string
  feeAgorot: number
  feeVatAgorot: number
}

/**
 * Writes down an acquirer's invoice of a month, to be held against what deposits booked; nothing goes into
 * the books by it. The same number again is the same invoice, and one of nothing is taken out.
 */
export async function keepInvoice(
  ctx: Ctx,
  given: InvoiceGiven,
): Promise<{ bookedAgorot: number; differenceAgorot: number; twiceAgorot: number }> {
  const month = `${given.month}-01`
  const { rows } = await sql`select 1 from terminals where company_id = ${ctx.companyId}
        and id = ${given.terminalId}`.execute(ctx.tx)
  if (!rows.length) throw failField('terminalId', 'fields.ref')
  if (month > ctx.today) throw failField('month', 'settlements.future')
  if (given.feeVatAgorot > given.feeAgorot) throw failField('feeVatAgorot', 'fields.range')
  if (given.feeAgorot === 0)
    await sql`delete from acquirer_invoices where company_id = ${ctx.companyId}
        and terminal_id = ${given.terminalId} and number = ${given.number}`.execute(ctx.tx)
  else
    await sql`insert into acquirer_invoices (company_id, id, terminal_id, month, number, fee_agorot,
        fee_vat_agorot, created_by)
      values (${ctx.companyId}, ${newId()}, ${given.terminalId}, ${month}, ${given.number},
        ${given.feeAgorot}, ${given.feeVatAgorot}, ${ctx.caller.userId})
      on conflict (company_id, terminal_id, number) do update
      set month = excluded.month, fee_agorot = excluded.fee_agorot,
        fee_vat_agorot = excluded.fee_vat_agorot, updated_at = now()`.execute(ctx.tx)
  await ctx.audit('settlements.invoice', 'acquirerDeposits', null, undefined, {
    month: given.month,
    number: given.number,
  })
  const found = (await feeRows(ctx)).find((one) => one.terminalId === given.terminalId && one.month === month)
  const { booked = 0, invoiced = 0, twice = 0 } = found ?? {}
  return { bookedAgorot: booked, differenceAgorot: invoiced - booked, twiceAgorot: twice }
}
