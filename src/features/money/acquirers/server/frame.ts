import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { OpenCtx } from '#kit/server/context.ts'
import { registerFrameSources } from '#kit/server/http/frameSources.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { Charge } from './charges/charge.ts'
import { terminalById } from './terminals/terminals.ts'

// Nedarim Plus has no page that a payer could be sent to; in trials its simulator is framed.
registerFrameSources(({ settings: { acquirersAt } }) => [
  acquirersAt?.startsWith('http') ? new URL(acquirersAt).origin : 'https://matara.pro',
])

/** What the page of a frame shows and what it tells the frame, by the reference of the form. */
export async function cardFrame(ctx: OpenCtx, { key }: { key: string }) {
  const row = await rowOfKey(
    ctx,
    sql<Charge & { company_id: string }>`select * from charges where reference = ${key}`,
  )
  return insideOf(ctx, row.company_id, async (inside) => {
    const terminal = await terminalById(inside, row.terminal_id)
    const { frame } = terminal.acquirer
    if (!frame) throw fail('kit.notFound')
    const isOpen = (row.state === 'begun' || row.state === 'declined') && new Date(row.lapses_at) > inside.now
    const { src, post } = frame(key, {
      deed: row.deed,
      keepsCard: row.deed === 'card' || row.consent !== '',
      agorot: row.amount_agorot,
      currency: row.currency,
      description: row.description,
      mostInstalments: row.most_instalments,
      language: row.language,
      payer: row.payer,
      lapsesAt: new Date(row.lapses_at),
      returnTo: row.return_to,
      noticeTo: terminal.noticeTo,
    })
    return {
      business: (await companyOf(inside)).name,
      language: row.language,
      description: row.description,
      amountAgorot: row.amount_agorot,
      deed: row.deed,
      isOpen,
      returnTo: row.return_to,
      // An expired form reveals nothing.
      src: isOpen ? src : '',
      post: isOpen ? post : {},
    }
  })
}
