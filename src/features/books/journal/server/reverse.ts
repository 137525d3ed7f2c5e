import { sql } from 'kysely'
import { reverse } from '#domain/ledger/entry.ts'
import type { Day } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { reversibleKinds } from '#features/base/ledger/entries.ts'
import { post, postingsOf } from '#features/base/ledger/server/index.ts'
import { lockBatch, newBatch } from './batches.ts'
import { takeBackItems } from './opening.ts'
import { tieEntry } from './post.ts'

interface Entry {
  id: string
  day: Day
  kind: string
  reference: string
  details: string
  reversed: boolean
}

/** The mirror image of an entry, on its own day or another. */
async function undo(ctx: Ctx, batchId: string, entry: Entry, date: Day | undefined): Promise<void> {
  const id = await post(ctx, {
    day: date ?? entry.day,
    kind: 'reversal',
    reference: entry.reference,
    details: entry.details,
    reversesId: entry.id,
    postings: reverse(await postingsOf(ctx, entry.id)),
  })
  await tieEntry(ctx, batchId, id)
}

const entries = (
  ctx: Ctx,
  which: ReturnType<typeof sql<boolean>>,
) => sql<Entry>`select e.id, e.day, e.kind, e.reference, e.details,
    exists (select 1 from entries r where r.company_id = e.company_id and r.reverses_id = e.id) as reversed
  from entries e where e.company_id = ${ctx.companyId} and ${which} order by e.id`

/** Undoes a whole posted batch: whatever of it was not undone yet. */
export async function reverseBatch(
  ctx: Ctx,
  { id, date }: { id: string; date?: Day | undefined },
): Promise<{ batchId: string; number: number; entries: number }> {
  const batch = await lockBatch(ctx, id)
  if (batch.state !== 'posted' || batch.kind === 'reversal') throw fail('journal.notReversible')
  const { rows } = await entries(
    ctx,
    sql<boolean>`e.id in (select x.entry_id from batch_entries x where x.company_id = e.company_id
        and x.batch_id = ${id})`,
  ).execute(ctx.tx)
  const left = rows.filter((entry) => !entry.reversed)
  if (left.length === 0) throw fail('journal.alreadyReversed')
  const made = await newBatch(ctx, { kind: 'reversal', name: batch.name, posted: true, reversesId: id })
  for (const entry of left) await undo(ctx, made.id, entry, date)
  if (batch.kind === 'opening') await takeBackItems(ctx, id)
  await ctx.audit('journal.reverse', 'journal_batches', id, undefined, {
    number: batch.number,
    by: made.number,
  })
  return { batchId: made.id, number: made.number, entries: left.length }
}

/** Undoes one entry that was typed by hand; what a paper posted is undone where the paper is. */
export async function reverseEntry(
  ctx: Ctx,
  { id, date }: { id: string; date?: Day | undefined },
): Promise<{ batchId: string; number: number; entries: number }> {
  const { rows } = await entries(ctx, sql<boolean>`e.id = ${id}`).execute(ctx.tx)
  const entry = rows[0]
  if (!entry) throw fail('kit.notFound')
  if (!reversibleKinds.includes(entry.kind)) throw fail('journal.notReversible')
  if (entry.reversed) throw fail('journal.alreadyReversed')
  // An opening is one thing, however many entries it came in.
  const { rows: openings } = await sql<{
    id: string
  }>`select b.id from batch_entries x join journal_batches b on b.company_id = x.company_id
      and b.id = x.batch_id
    where x.company_id = ${ctx.companyId} and x.entry_id = ${id} and b.kind = 'opening'`.execute(ctx.tx)
  if (openings[0]) return reverseBatch(ctx, { id: openings[0].id, date })
  const made = await newBatch(ctx, { kind: 'reversal', name: entry.details.slice(0, 120), posted: true })
  await undo(ctx, made.id, entry, date)
  await ctx.audit('journal.reverseEntry', 'entries', id, undefined, { by: made.number })
  return { batchId: made.id, number: made.number, entries: 1 }
}
