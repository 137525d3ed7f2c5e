import { sql } from 'kysely'
import { formatDay } from '#domain/format.ts'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'
import { say } from '#kit/server/words.ts'

registerLeaves({
  kind: 'reportShares',
  tables: ['report_shares'],
  list: async (ctx) => {
    const { rows } = await sql<Leaving>`select s.id, s.title as name, s.expires_on::text as to,
        s.created_by as "userId", null as "byKey", s.created_at as since,
        (select max(v.at) from report_share_views v where v.company_id = s.company_id and v.share_id = s.id)
          as "lastAt", true as "isOn", '/invoice/reportshares' as href
      from report_shares s where s.company_id = ${ctx.companyId} and s.taken_back_at is null
        and s.expires_on >= ${ctx.today} order by s.created_at, s.id`.execute(ctx.tx)
    const { language } = ctx.caller
    return rows.map((row) => ({
      ...row,
      to: row.to && say(language, 'team.leaves.until', { day: formatDay(row.to) }),
    }))
  },
  end: async (ctx, id) => {
    const { rows } = await sql<{ title: string }>`update report_shares set taken_back_at = now()
      where company_id = ${ctx.companyId} and id = ${id} and taken_back_at is null
      returning title`.execute(ctx.tx)
    if (rows[0])
      await ctx.audit('reportShares.takeBack', 'report_shares', id, undefined, { title: rows[0].title })
  },
})
