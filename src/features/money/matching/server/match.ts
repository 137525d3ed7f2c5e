import { sql } from 'kysely'
import type { Deed } from '#domain/matching/propose.ts'
import { fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { postStorno } from '#features/sales/payments/server/index.ts'
import type { MatchRow, OpenBankLine, OpenPostingRow } from '../endpoints.ts'
import {
  amountIn,
  keyOf,
  lineColumns,
  lockAccounts,
  partsOf,
  postingColumnsIn,
  matchedAccount,
  restIn,
} from './open.ts'

databaseFailures.PK240 = () => fail('matching.notZero')
databaseFailures.PK241 = () => fail('matching.oneAccount')
databaseFailures.PK4E0 = () => fail('matching.taken')

/** A part of a line: in agorot, with the line's own sign. */
export interface Part {
  key: string
  amountAgorot: number
}

export interface NewMatch {
  kind: 'bank' | 'card'
  accountId: string
  lines: readonly string[]
  /** As `<entryId>:<line>`: all that is open of each. */
  postings: readonly string[]
  /** Of a card: what is taken of a line, where it is not all that is open of it. */
  partly?: readonly Part[]
  deed?: Deed
  entryId?: string
  madeId?: string
  reasons?: readonly string[]
  automatic?: boolean
}

const currencyOf = async (ctx: Ctx, accountId: string): Promise<string> =>
  (
    await sql<{ held: string }>`select currency_of_account(${ctx.companyId}, ${accountId}) as held`.execute(
      ctx.tx,
    )
  ).rows[0]!.held

/**
 * Keeps a match: both sides must be there, be free and come to the same. The keys of the tables refuse what
 * another took meanwhile.
 */
export async function keepMatch(ctx: Ctx, match: NewMatch): Promise<{ id: string; number: number }> {
  const lines = [...new Set(match.lines)]
  const postings = [...new Set(match.postings)].map(partsOf)
  if (lines.length + postings.length < 2) throw fail('matching.tooFew')
  const { rows: own } = await sql<{
    amount: number
    account: string
    taken: boolean
  }>`select l.amount_agorot as amount, b.account_id as account,
      exists (select 1 from match_lines x where x.company_id = l.company_id and x.line_id = l.id) as taken
    from bank_lines l join bank_accounts b on b.company_id = l.company_id and b.id = l.bank_account_id
    where l.company_id = ${ctx.companyId} and l.id = any(${lines}::uuid[])`.execute(ctx.tx)
  // Another who takes a part of the same line waits, and then sees ours.
  if (match.kind === 'card')
    await sql`select 1 from accounts where company_id = ${ctx.companyId} and id = ${match.accountId} for no
        key update`.execute(ctx.tx)
  const held = match.kind === 'bank' ? await currencyOf(ctx, match.accountId) : 'ILS'
  const { rows: theirs } = await sql<{
    entryId: string
    line: number
    amount: number
    /** What is open of it, in shekels and in the currency it is matched in. */
    open: number
    rest: number
    account: string
  }>`select p.entry_id as "entryId", p.line, p.amount_agorot as amount, ${restIn('ILS')} as open,
      ${restIn(held)} as rest, p.account_id as account
    from postings p join jsonb_to_recordset(${JSON.stringify(postings)}::jsonb) as k
      ("entryId" uuid, line smallint) on p.entry_id = k."entryId" and p.line = k.line
    where p.company_id = ${ctx.companyId}`.execute(ctx.tx)
  if (own.length !== lines.length || theirs.length !== postings.length) throw fail('kit.notFound')
  if (own.some((one) => one.taken) || theirs.some((one) => one.open === 0)) throw fail('matching.taken')
  if ([...own, ...theirs].some((one) => one.account !== match.accountId)) throw fail('matching.oneAccount')
  const parts = new Map(match.partly?.map((part) => [part.key, part.amountAgorot]))
  const taken = theirs.map((one) => ({ ...one, part: parts.get(keyOf(one.entryId, one.line)) ?? one.open }))
  if (taken.some(({ part, open }) => Math.sign(part) !== Math.sign(open) || Math.abs(part) > Math.abs(open)))
    throw fail('matching.partTooMuch')
  const difference =
    own.reduce((sum, one) => sum + one.amount, 0) -
    taken.reduce((sum, one) => sum + (one.part === one.open ? one.rest : one.part), 0)
  if (difference !== 0) throw fail('matching.notZero')

  const { rows } = await sql<{
    number: number
  }>`select next_number(${ctx.companyId}, 'match', ${ctx.today}) as number`.execute(ctx.tx)
  const { number } = rows[0]!
  const id = newId()
  const by = byOf(ctx)
  await sql`insert into matches (company_id, id, number, kind, account_id, deed, entry_id, made_id, reasons,
      automatic, created_by)
    values (${ctx.companyId}, ${id}, ${number}, ${match.kind}, ${match.accountId}, ${match.deed ?? null},
      ${match.entryId ?? null}, ${match.madeId ?? null},
      ${[...(match.reasons ?? [])]}::text[], ${match.automatic ?? false}, ${by})`.execute(ctx.tx)
  await sql`insert into match_lines (company_id, line_id, match_id) select ${ctx.companyId}, l, ${id}
    from unnest(${lines}::uuid[]) l`.execute(ctx.tx)
  const kept = taken.map(({ entryId, line, part, amount }) => ({
    entryId,
    line,
    part: part === amount ? null : part,
  }))
  await sql`insert into match_postings (company_id, entry_id, line, match_id, amount_agorot)
    select ${ctx.companyId}, k."entryId", k.line, ${id}, k.part
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as k
      ("entryId" uuid, line smallint, part bigint)`.execute(ctx.tx)
  return { id, number }
}

/** Matches what a person ticked, or accepted. */
export async function matchBank(
  ctx: Ctx,
  given: { id: string; lines: string[]; postings: string[] },
): Promise<{ id: string; number: number }> {
  const account = await matchedAccount(ctx, given.id)
  await lockAccounts(ctx, account.accountId)
  const kept = await keepMatch(ctx, {
    kind: 'bank',
    accountId: account.accountId,
    lines: given.lines,
    postings: given.postings,
  })
  await ctx.audit('matches.create', 'matches', kept.id, undefined, {
    number: kept.number,
    lines: given.lines.length,
    postings: given.postings.length,
  })
  return kept
}

/**
 * Entries that were created only for a line of the bank: they are reversed with the match. Receipts and payments are
 * separate documents.
 */
const ownDeeds: readonly (Deed | null)[] = ['fee', 'interest', 'transfer', 'account']

/**
 * Takes a match back. What was booked for it alone is reversed, and the entry and its reversal are matched
 * with each other.
 */
export async function undoMatch(
  ctx: Ctx,
  id: string,
): Promise<{ done: true; reversed: boolean; madeId: string | null }> {
  interface Stored {
    id: string
    number: number
    kind: 'bank' | 'card'
    account: string
    deed: Deed | null
    entry: string | null
    made: string | null
  }
  const load = async () =>
    (
      await sql<Stored>`select id, number, kind, account_id as account, deed, entry_id as entry,
          made_id as made from matches
        where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    ).rows[0]
  const before = await load()
  if (!before) throw fail('kit.notFound')
  const books = !!before.entry && ownDeeds.includes(before.deed)
  const { rows: sides } = books
    ? await sql<{
        account: string
      }>`select distinct p.account_id as account from postings p
        join bank_accounts b on b.company_id = p.company_id and b.account_id = p.account_id
        where p.company_id = ${ctx.companyId} and p.entry_id = ${before.entry}`.execute(ctx.tx)
    : { rows: [] }
  const accounts = [...new Set([before.account, ...sides.map((side) => side.account)])]
  await lockAccounts(ctx, ...accounts)
  // Somebody else may have been first while we waited.
  if (!(await load())) throw fail('kit.notFound')
  const { rows: those } = books
    ? await sql<{
        id: string
      }>`select distinct match_id as id from match_postings where company_id = ${ctx.companyId}
          and entry_id = ${before.entry}`.execute(ctx.tx)
    : { rows: [] }
  const ids = [...new Set([id, ...those.map((one) => one.id)])]
  for (const table of ['match_lines', 'match_postings'] as const)
    await sql`delete from ${sql.table(table)} where company_id = ${ctx.companyId}
        and match_id = any(${ids}::uuid[])`.execute(ctx.tx)
  await sql`delete from matches where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(
    ctx.tx,
  )
  if (books) {
    const reversal = await postStorno(ctx, before.entry!)
    for (const account of accounts) {
      const { rows: pair } = await sql<{ key: string }>`select entry_id || ':' || line as key from postings
        where company_id = ${ctx.companyId} and account_id = ${account}
          and entry_id in (${before.entry}, ${reversal})`.execute(ctx.tx)
      if (pair.length >= 2)
        await keepMatch(ctx, {
          kind: 'bank',
          accountId: account,
          lines: [],
          postings: pair.map((one) => one.key),
          reasons: ['reversal'],
          automatic: true,
        })
    }
  }
  await ctx.audit('matches.undo', 'matches', id, { number: before.number, deed: before.deed }, undefined)
  return { done: true, reversed: books, madeId: before.made }
}

type MatchHead = Omit<MatchRow, 'lines' | 'postings' | 'amountAgorot'>

const headColumns = sql`m.id, m.number, m.kind, m.deed, m.reasons, m.automatic,
    (select u.full_name from users u where u.id = m.created_by) as by,
  m.created_at as "createdAt", m.made_id as "madeId",
  case m.kind when 'bank' then currency_of_account(m.company_id, m.account_id) else 'ILS' end as currency`

async function withSides(ctx: Ctx, heads: readonly MatchHead[]): Promise<MatchRow[]> {
  const ids = heads.map((head) => head.id)
  const currency = heads[0]?.currency ?? 'ILS'
  const { rows: lines } = await sql<
    OpenBankLine & { match: string }
  >`select x.match_id as match, ${lineColumns} from match_lines x
    join bank_lines l on l.company_id = x.company_id and l.id = x.line_id
    where x.company_id = ${ctx.companyId} and x.match_id = any(${ids}::uuid[])
    order by l.day, l.position`.execute(ctx.tx)
  const { rows: postings } = await sql<OpenPostingRow & { match: string }>`select x.match_id as match,
      ${postingColumnsIn(
        currency,
        sql`matched_part(${amountIn(currency)}, x.amount_agorot,
          p.amount_agorot)`,
      )} from match_postings x
    join postings p on p.company_id = x.company_id and p.entry_id = x.entry_id and p.line = x.line
    join entries e on e.company_id = p.company_id and e.id = p.entry_id
    where x.company_id = ${ctx.companyId} and x.match_id = any(${ids}::uuid[])
    order by p.day, p.entry_id`.execute(ctx.tx)
  const own = <T extends { match: string }>(rows: readonly T[], id: string) =>
    rows.filter((row) => row.match === id).map(({ match: _, ...row }) => row as Omit<T, 'match'>)
  return heads.map((head) => {
    const [mine, theirs] = [own(lines, head.id), own(postings, head.id)]
    const amountAgorot = mine.length
      ? mine.reduce((sum, line) => sum + line.amountAgorot, 0)
      : theirs.reduce((sum, posting) => sum + Math.max(posting.amountAgorot, 0), 0)
    return { ...head, amountAgorot, lines: mine, postings: theirs } as MatchRow
  })
}

const pageSize = 50

/** Matches of an account of the books, the newest first, from below a number on. */
export async function matchesOf(
  ctx: Ctx,
  accountId: string,
  below: number | undefined,
): Promise<{ rows: MatchRow[]; next: number | null }> {
  const { rows } =
    await sql<MatchHead>`select ${headColumns} from matches m where m.company_id = ${ctx.companyId}
        and m.account_id = ${accountId}
    and ${below === undefined ? sql`true` : sql`m.number < ${below}`} order by m.number desc
    limit ${pageSize + 1}`.execute(ctx.tx)
  const shown = rows.slice(0, pageSize)
  return { rows: await withSides(ctx, shown), next: rows.length > pageSize ? shown.at(-1)!.number : null }
}

export async function matchNamed(ctx: Ctx, id: string): Promise<MatchRow> {
  const { rows } =
    await sql<MatchHead>`select ${headColumns} from matches m where m.company_id = ${ctx.companyId}
        and m.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return (await withSides(ctx, rows))[0]!
}
