import { sql } from 'kysely'
import { documentTypeById, documentTypeNames } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, ref, text } from '#kit/fields/field.ts'
import { incomeNet, incomeTotal, isIncome, isIssued, sign } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { onlyAllowed } from '../list.ts'

/**
 * Income by the worker who sold it and by document type, in shekels; credits take away from the person who sold what
 * they credit.
 */
export const incomeByAgent = defineReport({
  name: 'incomeByAgent',
  feature: 'documents',
  group: 'sales',
  path: '/invoice/reportagents',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { from: day({ need: true }), to: day({ need: true }), agent: ref('agents') },
  columns: {
    agent: text(),
    type: choice(documentTypeNames, { words: 'documents.types' }),
    count: number(),
    netAgorot: money(),
    vatAgorot: money(),
    totalAgorot: money(),
  },
  groupBy: 'agent',
  key: ['agent', 'type'],
  totals: ['count', 'netAgorot', 'vatAgorot', 'totalAgorot'],
  rows: async (ctx, { from, to, agent }) => {
    const { rows } = await sql<ReportRow>`
      with d as (
        select agent_id, type, ${sign()} as sign, ${incomeNet()} as net, ils_vat_agorot,
          ${incomeTotal()} as total
        from documents where company_id = ${ctx.companyId} and ${isIssued()} and ${isIncome()}
          and day between ${from} and ${to}${onlyAllowed(ctx, 'type')}
          and (${agent ?? null}::uuid is null or agent_id = ${agent ?? null})
      )
      select coalesce(u.full_name, ${say(ctx.caller.language, 'documents.noAgent')}) as agent,
        d.type as "typeId", count(*)::int as count, sum(sign * net)::bigint as "netAgorot",
        sum(sign * ils_vat_agorot)::bigint as "vatAgorot", sum(sign * total)::bigint as
        "totalAgorot",
        '/invoice/documents/' || d.type || '?day.gte=' || ${from}::text || '&day.lte=' || ${to}::text ||
        coalesce('&agentId=' || d.agent_id, '') as open
      from d left join users u on u.id = d.agent_id group by d.agent_id, u.full_name, d.type
      order by u.full_name nulls last, d.agent_id, d.type`.execute(ctx.tx)
    return rows.map(({ typeId, ...row }) => ({ ...row, type: documentTypeById(Number(typeId))! }))
  },
  must: { netAndVat: (t) => Math.abs(t.netAgorot! + t.vatAgorot! - t.totalAgorot!) <= 100 * (t.count ?? 0) },
})
