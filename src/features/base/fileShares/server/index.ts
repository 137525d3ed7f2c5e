import { sql } from 'kysely'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import * as calls from '../endpoints.ts'
import { face, file, open, share, sharesOf, takeBack } from './shares.ts'
import './leaves.ts'

registerBusinessPage('/sharedfile', {
  owner: (key) => sql`select company_id from file_shares where page_key = ${key}`,
  words: 'fileShares.pageFace',
  logo: (key) => `/api2/invoice/fileshare/${key}/logo`,
})

export { share as shareFile } from './shares.ts'

export const implementations = [
  implement(calls.listFileShares, async (ctx, { fileId }) => ({ rows: await sharesOf(ctx, fileId) })),
  implement(calls.createFileShare, share),
  implement(calls.takeBackFileShare, (ctx, { id }) => takeBack(ctx, id)),
  implementOpen(calls.fileShareFace, (ctx, { key }) => face(ctx, key)),
  implementOpen(calls.fileShareLogo, (ctx, { key }) =>
    openPage(
      ctx,
      sql<{ company_id: string }>`select company_id from file_shares where page_key = ${key}`,
      getLogo,
    ),
  ),
  implementOpen(calls.openFileShare, (ctx, { key }) => open(ctx, key)),
  implementOpen(calls.fileOfShare, file),
]
