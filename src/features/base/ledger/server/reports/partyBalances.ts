import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, flag, money, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { net, partySums } from '../sums.ts'

const roles = ['customer', 'supplier'] as const

/**
 * What every customer and supplier stood at by the books, at the beginning and the end of a period. Merged
 * ones count as who they turned out to be.
 */
export const totalBalance = defineReport({
  name: 'totalBalance',
  feature: 'ledger',
  group: 'people',
  path: '/invoice/reporttotalbalance',
  allow: 'reports.accounting',
  filters: { from: day({ need: true }), to: day({ need: true }), role: choice(roles), withZero: flag() },
  columns: {
    role: choice(roles),
    party: text(),
    openingAgorot: money(),
    debitAgorot: { ...money(), band: 'movements' },
    creditAgorot: { ...money(), band: 'movements' },
    balanceAgorot: money(),
  },
  groupBy: 'role',
  totals: ['openingAgorot', 'debitAgorot', 'creditAgorot', 'balanceAgorot'],
  rows: async (ctx, { from, to, role, withZero }) => {
    const before = await partySums(ctx, undefined, addDays(from, -1))
    const moved = await partySums(ctx, from, to)
    const { rows: parties } = await sql<{ id: string; whole: string; role: string; name: string }>`
      select p.id, w.id as whole, w.role, w.name from parties p join parties w on w.company_id = p.company_id
        and w.id = coalesce(p.merged_into, p.id)
      where p.company_id = ${ctx.companyId} ${role ? sql`and p.role = ${role}` : sql``}
      order by w.role, w.name, w.id`.execute(ctx.tx)
    const rows = new Map<
      string,
      ReportRow & { openingAgorot: number; debitAgorot: number; creditAgorot: number; balanceAgorot: number }
    >()
    for (const { id, whole, role: of, name } of parties) {
      const row = rows.get(whole) ?? {
        role: of,
        party: name,
        openingAgorot: 0,
        debitAgorot: 0,
        creditAgorot: 0,
        balanceAgorot: 0,
        open: `${of === 'customer' ? '/invoice/reportcustomercard' : '/invoice/reportprovidercard'}?party=${whole}&from=${from}&to=${to}`,
      }
      const [opening, moves] = [net(before.get(id)), moved.get(id)]
      row.openingAgorot += opening
      row.debitAgorot += moves?.debit ?? 0
      row.creditAgorot += moves?.credit ?? 0
      row.balanceAgorot += opening + net(moves)
      rows.set(whole, row)
    }
    return [...rows.values()].filter(
      (row) =>
        withZero ||
        row.openingAgorot !== 0 ||
        row.debitAgorot !== 0 ||
        row.creditAgorot !== 0 ||
        row.balanceAgorot !== 0,
    )
  },
})
