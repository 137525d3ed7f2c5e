import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import type { FileOnDisk } from '#kit/fields/schema.ts'
import { takeStatement, uploadStatement } from '#features/money/bank/server/index.ts'

export interface FeedRow {
  company_id: string
  id: string
  bank_account_id: string
  drop_key: string
  state: 'on' | 'off'
}

export interface Outcome {
  outcome: 'taken' | 'nothing' | 'waits' | 'refused'
  code: string
  lines: number
}

/**
 * Takes a file as a person would who sees that all is well: its new lines come in. What is not plain (columns
 * nobody named yet, balances that do not hold, lines that are missing before it, lines that may be there
 * already) waits in the bank for a person. The same file again answers what came of it the first time.
 */
export async function takeFile(app: App, feed: FeedRow, name: string, file: FileOnDisk): Promise<Outcome> {
  if (feed.state !== 'on') throw fail('bankFeeds.isOff')
  const sha = Buffer.from(file.sha256, 'hex')
  return asCaller(app, systemCaller(feed.company_id), '', async (ctx) => {
    // One file of a door at a time: of the same one that comes twice at once the second sees what came of the
    // first.
    await sql`select 1 from bank_feeds where company_id = ${ctx.companyId} and id = ${feed.id} for
      update`.execute(ctx.tx)
    const { rows } =
      await sql<Outcome>`select outcome, code, lines from bank_feed_files where company_id = ${ctx.companyId}
          and feed_id = ${feed.id} and sha256 = ${sha}`.execute(ctx.tx)
    if (rows[0]) return rows[0]
    const { statementId, ...outcome } = await read(ctx, feed, name, file)
    await sql`insert into bank_feed_files (company_id, feed_id, sha256, name, size_bytes, at, outcome, code,
        lines, statement_id) values (${ctx.companyId}, ${feed.id}, ${sha}, ${name},
      ${file.size}, ${ctx.now}, ${outcome.outcome}, ${outcome.code}, ${outcome.lines},
      ${statementId})`.execute(ctx.tx)
    await sql`update bank_feeds set last_at = ${ctx.now} where company_id = ${ctx.companyId}
        and id = ${feed.id}`.execute(ctx.tx)
    await ctx.audit('bankFeeds.file', 'bankFeeds', feed.id, undefined, { name, ...outcome })
    return outcome
  })
}

async function read(
  ctx: Ctx,
  feed: FeedRow,
  name: string,
  file: FileOnDisk,
): Promise<Outcome & { statementId: string | null }> {
  await sql`savepoint reading`.execute(ctx.tx)
  let statementId: string | null = null
  try {
    const statement = await uploadStatement(ctx, { id: feed.bank_account_id, name, file })
    statementId = statement.id
    const { counts } = statement
    const isPlain =
      statement.otherAccount === null &&
      counts.suspect === 0 &&
      statement.gapAgorot === 0 &&
      statement.faults.length === 0
    if (!isPlain) return { outcome: 'waits', code: '', lines: counts.new, statementId }
    await sql`savepoint taking`.execute(ctx.tx)
    await takeStatement(ctx, { id: statement.id, suspects: false })
    return { outcome: 'taken', code: '', lines: counts.new, statementId }
  } catch (e) {
    const failure = failureOf(e)
    if (failure.status >= 500) throw e
    const code = (failure.errors[0]?.code ?? failure.code).slice(0, 60)
    if (statementId && code !== 'bank.nothingNew') {
      await sql`rollback to savepoint taking`.execute(ctx.tx)
      return { outcome: 'waits', code, lines: 0, statementId }
    }
    await sql`rollback to savepoint reading`.execute(ctx.tx)
    return { outcome: code === 'bank.nothingNew' ? 'nothing' : 'refused', code, lines: 0, statementId: null }
  }
}
