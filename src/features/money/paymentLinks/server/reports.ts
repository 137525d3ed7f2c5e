import { sql } from 'kysely'
import { choice, day, money, number, percent, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { gatewayNames } from '#features/money/acquirers/acquirers.ts'

interface Row {
  terminal: string
  gateway: string
  code: string
  class: string
  count: number
  sumAgorot: number
}

/**
 * Shares of a whole, which come to all of it however they are rounded: what is missing goes to those that
 * lost most.
 */
function shares(counts: readonly number[]): number[] {
  const whole = counts.reduce((sum, one) => sum + one, 0)
  const parts = counts.map((count, i) => ({
    i,
    floor: Math.floor((count * 10_000) / whole),
    lost: (count * 10_000) % whole,
  }))
  const missing = 10_000 - parts.reduce((sum, { floor }) => sum + floor, 0)
  const raised = new Set(
    parts
      .toSorted((a, b) => b.lost - a.lost || a.i - b.i)
      .slice(0, missing)
      .map(({ i }) => i),
  )
  return parts.map(({ i, floor }) => floor + (raised.has(i) ? 1 : 0))
}

/**
 * What became of the charges of each terminal: those that went through, and those that were declined by the
 * acquirer's code, with what each is a share of.
 */
export const cardDeclines = defineReport({
  name: 'cardDeclines',
  feature: 'paymentLinks',
  group: 'money',
  path: '/invoice/reportcarddeclines',
  allow: 'paymentLinks.see',
  filters: { from: day(), to: day(), acquirer: choice(gatewayNames) },
  key: ['terminal', 'code', 'reason'],
  columns: {
    terminal: text(),
    reason: text(),
    code: text(),
    count: number(),
    shareBp: percent(),
    sumAgorot: { ...money(), main: true },
  },
  groupBy: 'terminal',
  totals: ['count', 'sumAgorot'],
  must: {
    whole: (_, rows) =>
      rows.reduce((sum, row) => sum + Number(row.shareBp), 0) ===
      10_000 * new Set(rows.map(({ terminal }) => terminal)).size,
  },
  rows: async (ctx, { from, to, acquirer }) => {
    const { rows } = await sql<Row>`select x.name as terminal, x.gateway, case when c.passed then ''
          else c.decline_code end as code,
        case when c.passed then 'passed' else coalesce(nullif(c.decline_class, ''), 'hard') end as class,
        count(*)::int as count,
        coalesce(sum(c.amount_agorot) filter (where c.currency = 'ILS'), 0)::bigint as "sumAgorot"
      from (select *, state in ('paid', 'held', 'released', 'saved') as passed,
        (created_at at time zone 'Asia/Jerusalem')::date as day
          from charges where company_id = ${ctx.companyId}) c
        join terminals x on x.company_id = c.company_id and x.id = c.terminal_id
      where (c.passed or c.decline_code <> '') and (${from ?? null}::date is null or c.day >= ${from ?? null})
        and (${to ?? null}::date is null or c.day <= ${to ?? null})
        and (${acquirer ?? null}::text is null or x.gateway = ${acquirer ?? null})
      group by x.id, x.position, x.name, x.gateway, 3, 4 order by x.position, x.id, count(*) desc, 3`.execute(
      ctx.tx,
    )
    const { language } = ctx.caller
    const named = rows.map((row) => ({
      ...row,
      terminal: row.terminal || say(language, `cardCharges.acquirer.${row.gateway}`),
    }))
    return [...new Set(named.map(({ terminal }) => terminal))].flatMap((one) => {
      const of = named.filter(({ terminal }) => terminal === one)
      const part = shares(of.map(({ count }) => count))
      return of.map(({ terminal, code, class: kind, count, sumAgorot }, i) => ({
        terminal,
        reason:
          kind === 'passed'
            ? say(language, 'paymentLinks.reports.cardDeclines.passed')
            : say(language, `cardCharges.decline.${kind}`),
        code,
        count,
        shareBp: part[i]!,
        sumAgorot,
        open: code && `/invoice/historypayments?declineCode=${encodeURIComponent(code)}`,
      }))
    })
  },
})
