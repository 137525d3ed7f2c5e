import { sql } from 'kysely'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import * as calls from '../endpoints.ts'
import { face, open, share, shares, takeBack, viewsOf } from './shares.ts'
import './leaves.ts'

registerBusinessPage('/protectreport', {
  owner: (key) => sql`select company_id from report_shares where page_key = ${key}`,
  words: 'reportShares.pageFace',
  logo: (key) => `/api2/invoice/reportshare/${key}/logo`,
})

export { share as shareReport } from './shares.ts'

export const implementations = [
  implement(calls.listShares, async (ctx) => ({ rows: await shares(ctx) })),
  implement(calls.createShare, share),
  implement(calls.dropShare, (ctx, { id }) => takeBack(ctx, id)),
  implement(calls.viewsOfShare, (ctx, { id }) => viewsOf(ctx, id)),
  implementOpen(calls.shareFace, (ctx, { key }) => face(ctx, key)),
  implementOpen(calls.shareLogo, (ctx, { key }) =>
    openPage(
      ctx,
      sql<{ company_id: string }>`select company_id from report_shares where page_key = ${key}`,
      getLogo,
    ),
  ),
  implementOpen(calls.openShare, open),
]
