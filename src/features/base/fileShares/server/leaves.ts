import { sql } from 'kysely'
import { formatDay } from '#domain/format.ts'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'
import { say } from '#kit/server/words.ts'

registerLeaves({
  kind: 'fileShares',
  tables: ['file_shares'],
  list: async (ctx) => {
    const { rows } = await sql<Leaving>`select s.id, f.name, s.expires_on::text as to,
        s.created_by as "userId", null as "byKey", s.created_at as since, s.last_opened_at as "lastAt",
        true as "isOn", '/invoice/files' as href
      from file_shares s join files f on f.company_id = s.company_id and f.id = s.file_id
      where s.company_id = ${ctx.companyId} and s.taken_back_at is null and s.expires_on >= ${ctx.today}
      order by s.created_at, s.id`.execute(ctx.tx)
    const { language } = ctx.caller
    return rows.map((row) => ({
      ...row,
      to: row.to && say(language, 'team.leaves.until', { day: formatDay(row.to) }),
    }))
  },
  end: async (ctx, id) => {
    const { rows } = await sql<{ fileId: string }>`update file_shares set taken_back_at = now()
      where company_id = ${ctx.companyId} and id = ${id} and taken_back_at is null
      returning file_id as "fileId"`.execute(ctx.tx)
    if (rows[0]) await ctx.audit('fileShares.takeBack', 'files', rows[0].fileId)
  },
})
