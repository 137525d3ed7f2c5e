import { say } from '#kit/server/words.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { markOf, noveltyOf, occurrences, type Novelty } from '#domain/bank/known.ts'
import { checkBalances, inOrder, isSameAccount, type StatementLine } from '#domain/bank/statement.ts'
import {
  columnsOf,
  headMark,
  isComplete,
  placeOfHeads,
  readTable,
  widthOf,
  type BankColumn,
  type TableFault,
} from '#domain/bank/table.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { FileOnDisk } from '#kit/fields/schema.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { maxStatementLines, type StatementSummary, type WholeStatement } from '../endpoints.ts'
import type { FileContent, ReadStatement } from './read.ts'
import type { readers } from './readers.ts'

/** What is kept of a file until it is taken: of several accounts in it that of ours alone. */
type Content =
  | Extract<FileContent, { kind: 'table' }>
  | { kind: 'ofx' | 'mt940'; reading: FileContent['reading']; statement: ReadStatement }

interface Stored extends StatementSummary {
  headRow: number
  mapping: (BankColumn | null)[]
  content: Content | null
  accountNumber: string | null
}

const matchedLines = sql`(select count(*)::int from bank_lines l
  join match_lines m on m.company_id = l.company_id and m.line_id = l.id
  where l.company_id = s.company_id and l.statement_id = s.id)`

const summaryColumns = sql`s.id, s.bank_account_id as "bankAccountId",
  (select c.currency from bank_accounts c where c.company_id = s.company_id and c.id = s.bank_account_id) as
  currency, s.name, s.kind, s.state, s.from_day as "fromDay", s.to_day as "toDay",
  s.opening_agorot as "openingAgorot", s.closing_agorot as "closingAgorot", s.taken, s.known,
  s.gap_agorot as "gapAgorot", s.mismatches,
  (select u.full_name from users u where u.id = s.created_by) as by, s.created_at as "createdAt",
  ${matchedLines} as matched`

/**
 * The statements of an account, the newest first. What was only looked at and left is forgotten after a week.
 */
export async function statementsOf(ctx: Ctx, bankAccountId: string): Promise<StatementSummary[]> {
  const { rows } = await sql<StatementSummary>`select ${summaryColumns} from bank_statements s
    where s.company_id = ${ctx.companyId} and s.bank_account_id = ${bankAccountId} and s.state <> 'read'
    order by s.id desc limit 500`.execute(ctx.tx)
  return rows
}

async function load(ctx: Ctx, id: string, lock = false): Promise<Stored> {
  const { rows } = await sql<Stored>`select ${summaryColumns}, s.head_row as "headRow", s.mapping, s.content,
        a.number as "accountNumber"
    from bank_statements s join bank_accounts a on a.company_id = s.company_id and a.id = s.bank_account_id
    where s.company_id = ${ctx.companyId} and s.id = ${id} ${lock ? sql`for update of s` : sql``}`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

interface Lines {
  lines: StatementLine[]
  faults: TableFault[]
  opening: number | null
  closing: number | null
  account: string
}

/** The lines of a file in the order in which they happened. */
function linesOf({ content, headRow, mapping }: Pick<Stored, 'content' | 'headRow' | 'mapping'>): Lines {
  if (!content) return { lines: [], faults: [], opening: null, closing: null, account: '' }
  if (content.kind !== 'table') {
    const { lines, opening, closing, account, unread } = content.statement
    const faults = (unread ?? []).map((one) => ({ ...one, code: 'badLine' as const }))
    return {
      lines: withBalances(lines, checkBalances(lines, content.statement).opening),
      faults,
      opening,
      closing,
      account,
    }
  }
  if (!isComplete(mapping)) return { lines: [], faults: [], opening: null, closing: null, account: '' }
  const { lines, faults } = readTable(content.rows.slice(headRow + 1), mapping)
  const numbered = faults.map((fault) => ({
    ...fault,
    row: content.numbers?.[fault.row + headRow + 1] ?? fault.row + headRow + 2,
  }))
  // The number of the account is above the table, when it is anywhere.
  const above = content.rows.slice(0, Math.max(0, headRow)).flat().join(' ')
  return {
    lines: inOrder(lines),
    faults: numbered,
    opening: null,
    closing: null,
    account: /\d{2,3}[-\s/]\d{5,9}/.exec(above)?.[0] ?? '',
  }
}

/**
 * A file that says only what the account stood at in the end says by it what it stood at after every line.
 */
function withBalances(lines: readonly StatementLine[], opening: number | null): StatementLine[] {
  if (opening === null || lines.some((line) => line.balance !== null)) return [...lines]
  let running = opening
  return lines.map((line) => ({ ...line, balance: (running += line.amount) }))
}

type Existing = Pick<StatementLine, 'day' | 'amount' | 'text' | 'reference' | 'balance'>

/** What is there already of the days of a file. */
async function existingOf(
  ctx: Ctx,
  bankAccountId: string,
  lines: readonly StatementLine[],
): Promise<Existing[]> {
  if (!lines.length) return []
  const days = lines.map((line) => line.day).toSorted()
  const { rows } =
    await sql<Existing>`select day, amount_agorot as amount, text, reference, balance_agorot as balance
      from bank_lines
    where company_id = ${ctx.companyId} and bank_account_id = ${bankAccountId} and day between ${days[0]}
      and ${days.at(-1)}
    order by day, statement_id, position`.execute(ctx.tx)
  return rows
}

interface Judged extends Lines {
  novelty: Novelty[]
  existing: Existing[]
  mismatches: ReadonlySet<number>
  gapAgorot: number
}

/** What of a file is new, whether its balances hold, and whether it goes on where what was there ends. */
async function judge(
  ctx: Ctx,
  stored: Pick<Stored, 'content' | 'headRow' | 'mapping' | 'bankAccountId'>,
): Promise<Judged> {
  const read = linesOf(stored)
  const existing = await existingOf(ctx, stored.bankAccountId, read.lines)
  const novelty = noveltyOf(existing, read.lines)
  const check = checkBalances(read.lines, read)
  return {
    ...read,
    opening: check.opening,
    closing: check.closing,
    novelty,
    existing,
    mismatches: new Set(check.mismatches),
    gapAgorot:
      check.opening === null
        ? 0
        : await gapBefore(ctx, stored.bankAccountId, read.lines, novelty, check.opening),
  }
}

/**
 * The difference between what the account stood at before this file and the file's opening balance: lines
 * between the two are missing. 0 when the file overlaps what is there, or when nothing before it is known.
 */
async function gapBefore(
  ctx: Ctx,
  bankAccountId: string,
  lines: readonly StatementLine[],
  novelty: readonly Novelty[],
  opening: number,
): Promise<number> {
  const first = lines[0]
  if (!first || novelty[0] !== 'new') return 0
  const { rows } = await sql<{ balance: number | null }>`select balance_agorot as balance from bank_lines
    where company_id = ${ctx.companyId} and bank_account_id = ${bankAccountId} and day <= ${first.day}
    order by day desc, statement_id desc, position desc limit 1`.execute(ctx.tx)
  const before = rows[0]?.balance
  return before === null || before === undefined ? 0 : opening - before
}

/** Of a file that was kept before such sheets were noted: none. */
const leftOutOf = (content: Content | null): string[] =>
  content?.kind === 'table' ? (content.leftOut ?? []) : []

const samplesShown = 3
const linesShown = 400

export async function wholeOf(ctx: Ctx, id: string): Promise<WholeStatement> {
  const stored = await load(ctx, id)
  const judged = await judge(ctx, stored)
  const { content, headRow, mapping, accountNumber, ...summary } = stored
  const counts = { new: 0, known: 0, suspect: 0 }
  for (const one of judged.novelty) counts[one]++
  const table = content?.kind === 'table' ? content.rows : []
  const heads = table[headRow]
  const width = Math.max(mapping.length, widthOf(table.slice(Math.max(0, headRow))))
  const isOpen = stored.state === 'read'
  return {
    ...summary,
    ...(isOpen
      ? {
          fromDay: judged.lines[0]?.day ?? null,
          toDay: judged.lines.at(-1)?.day ?? null,
          openingAgorot: judged.opening,
          closingAgorot: judged.closing,
          gapAgorot: judged.gapAgorot,
          mismatches: judged.mismatches.size,
        }
      : {}),
    columns: Array.from({ length: content?.kind === 'table' ? width : 0 }, (_none, i) => ({
      title: heads?.[i] ?? '',
      samples: table
        .slice(headRow + 1)
        .map((row) => (row[i] ?? '').trim())
        .filter(Boolean)
        .slice(0, samplesShown),
      is: mapping[i] ?? null,
    })),
    remembered:
      content?.kind === 'table' &&
      (await rememberedFor(ctx, stored.bankAccountId, markOfHeads(stored))) !== undefined,
    complete: content !== null && (content.kind !== 'table' || isComplete(mapping)),
    proven:
      judged.lines.length > 0 &&
      judged.opening !== null &&
      judged.closing !== null &&
      judged.mismatches.size === 0 &&
      judged.faults.length === 0 &&
      leftOutOf(content).length === 0,
    leftOut: leftOutOf(content),
    faults: judged.faults.slice(0, 100),
    counts,
    newAgorot: judged.lines.reduce(
      (sum, line, i) => (judged.novelty[i] === 'new' ? sum + line.amount : sum),
      0,
    ),
    otherAccount: isSameAccount(judged.account, accountNumber ?? '') === false ? judged.account : null,
    lines: judged.lines.slice(0, linesShown).map((line, i) => ({
      position: i,
      day: line.day,
      text: line.text,
      details: line.details,
      reference: line.reference,
      amountAgorot: line.amount,
      balanceAgorot: line.balance,
      novelty: judged.novelty[i]!,
      mismatch: judged.mismatches.has(i),
    })),
  }
}

const markOfHeads = ({ content, headRow }: Pick<Stored, 'content' | 'headRow'>): string =>
  content?.kind === 'table' ? headMark(content.rows[headRow], widthOf(content.rows)) : ''

async function rememberedFor(
  ctx: Ctx,
  bankAccountId: string,
  mark: string,
): Promise<(BankColumn | null)[] | undefined> {
  const { rows } = await sql<{ mapping: (BankColumn | null)[] }>`select mapping from bank_mappings
    where company_id = ${ctx.companyId} and bank_account_id = ${bankAccountId}
      and head_mark = ${mark}`.execute(ctx.tx)
  return rows[0]?.mapping
}

/** Takes a file in to be looked at; nothing of it is in the account yet. */
export async function uploadStatement(
  ctx: Ctx,
  { id, name, file }: { id: string; name: string; file: FileOnDisk },
): Promise<WholeStatement> {
  const { rows } = await sql<{
    currency: string
    number: string | null
  }>`select currency, number from bank_accounts where company_id = ${ctx.companyId} and id = ${id}`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  if (file.size === 0) throw fail('bank.empty')
  // What was looked at and left.
  await sql`delete from bank_statements where company_id = ${ctx.companyId} and state = 'read'
      and created_at < now() - interval '7 days'`.execute(ctx.tx)
  const content = contentOf(
    await readIn<typeof readers>()('bank.statement', { path: file.path }),
    rows[0].number ?? '',
  )
  if (
    content.kind !== 'table' &&
    content.statement.currency &&
    content.statement.currency !== rows[0].currency
  )
    throw fail('bank.otherCurrency', { currency: content.statement.currency })
  const headRow = content.kind === 'table' ? placeOfHeads(content.rows) : 0
  if (headRow === undefined) throw fail('bank.notAStatement')
  const mapping =
    content.kind === 'table'
      ? ((await rememberedFor(ctx, id, markOfHeads({ content, headRow }))) ??
        columnsOf(content.rows[headRow] ?? []))
      : []
  const { lines, faults } = linesOf({ content, headRow, mapping })
  if (content.kind === 'table' && isComplete(mapping) && !lines.length && !faults.length)
    throw fail('bank.empty')
  const statementId = newId()
  await sql`insert into bank_statements (company_id, id, bank_account_id, name, size, kind, reading, head_row,
      mapping, content, created_by)
    values (${ctx.companyId}, ${statementId}, ${id}, ${name}, ${file.size}, ${content.kind},
      ${JSON.stringify(content.reading)}, ${headRow},
      ${JSON.stringify(mapping)}, ${JSON.stringify(content)}, ${byOf(ctx)})`.execute(ctx.tx)
  return wholeOf(ctx, statementId)
}

/** Of a file with several accounts the one that is ours; by its number, because nothing else tells. */
function contentOf(file: FileContent, number: string): Content {
  if (file.kind === 'table') return file
  const { kind, reading, statements } = file
  const ours =
    statements.length === 1 ? statements : statements.filter((one) => isSameAccount(one.account, number))
  if (ours.length !== 1)
    throw fail('bank.severalAccounts', {
      numbers: statements
        .map((one) => one.account || '?')
        .slice(0, 10)
        .join(', '),
    })
  return { kind, reading, statement: ours[0]! }
}

/** Says what the columns are, and remembers it for the next file with these heads. */
export async function mapStatement(
  ctx: Ctx,
  { id, mapping }: { id: string; mapping: (BankColumn | null)[] },
): Promise<WholeStatement> {
  const stored = await load(ctx, id, true)
  if (stored.state !== 'read' || stored.content?.kind !== 'table') throw fail('bank.wrongState')
  const twice = mapping.find((one, i) => one && one !== 'details' && mapping.indexOf(one) !== i)
  if (twice)
    throw failField('mapping', 'fields.taken', { name: say(ctx.caller.language, `bank.columns.${twice}`) })
  if (!isComplete(mapping)) throw fail('bank.unmapped')
  await sql`update bank_statements set mapping = ${JSON.stringify(mapping)}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  const mark = markOfHeads(stored)
  await sql`insert into bank_mappings (company_id, bank_account_id, head_mark, mapping)
    values (${ctx.companyId}, ${stored.bankAccountId}, ${mark}, ${JSON.stringify(mapping)})
    on conflict (company_id, bank_account_id, head_mark) do update set mapping = excluded.mapping,
      updated_at = now()`.execute(ctx.tx)
  return wholeOf(ctx, id)
}

/** So many lines go into one statement of SQL. */
const batch = 1000

/**
 * Brings the new lines in. Two files of one account wait for each other, so that neither misses what the
 * other brings.
 */
export async function takeStatement(
  ctx: Ctx,
  { id, suspects }: { id: string; suspects: boolean },
): Promise<WholeStatement> {
  const { bankAccountId } = await load(ctx, id)
  await sql`select 1 from bank_accounts where company_id = ${ctx.companyId} and id = ${bankAccountId} for
    update`.execute(ctx.tx)
  const stored = await load(ctx, id, true)
  if (stored.state !== 'read') throw fail('bank.wrongState')
  if (stored.content?.kind === 'table' && !isComplete(stored.mapping)) throw fail('bank.unmapped')
  const judged = await judge(ctx, stored)
  if (judged.lines.length > maxStatementLines) throw fail('bank.tooMany', { most: maxStatementLines })
  const places = judged.lines
    .map((_, i) => i)
    .filter((i) => judged.novelty[i] === 'new' || (suspects && judged.novelty[i] === 'suspect'))
  if (!places.length) throw fail('bank.nothingNew')
  const nth = occurrences(
    judged.existing,
    places.map((i) => judged.lines[i]!),
  )
  const rows = places.map((place, i) => {
    const line = judged.lines[place]!
    return {
      id: newId(),
      position: place,
      day: line.day,
      value_day: line.valueDay,
      amount_agorot: line.amount,
      text: line.text,
      details: line.details,
      reference: line.reference,
      balance_agorot: line.balance,
      fingerprint: createHash('sha256')
        .update(`${markOf(line)}|${nth[i]}`)
        .digest('hex'),
    }
  })
  for (let from = 0; from < rows.length; from += batch)
    await sql`insert into bank_lines (company_id, id, bank_account_id, statement_id, position, day, value_day,
        amount_agorot, text, details, reference, balance_agorot, fingerprint)
      select ${ctx.companyId}, r.id, ${bankAccountId}, ${id}, r.position, r.day, r.value_day, r.amount_agorot,
        r.text, r.details, r.reference, r.balance_agorot, r.fingerprint
      from jsonb_populate_recordset(null::bank_lines,
        ${JSON.stringify(rows.slice(from, from + batch))}::jsonb) r`.execute(ctx.tx)
  const known = judged.lines.length - rows.length
  await sql`update bank_statements set state = 'taken', taken_at = now(), updated_at = now(), content = null,
      taken = ${rows.length}, known = ${known},
      from_day = ${judged.lines[0]!.day}, to_day = ${judged.lines.at(-1)!.day},
      opening_agorot = ${judged.opening}, closing_agorot = ${judged.closing},
      gap_agorot = ${judged.gapAgorot}, mismatches = ${judged.mismatches.size}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('bankstatements.take', 'bankaccounts', bankAccountId, undefined, {
    name: stored.name,
    lines: rows.length,
    known,
  })
  return wholeOf(ctx, id)
}

/** Takes a file back with every line that came by it. */
export async function undoStatement(ctx: Ctx, id: string): Promise<StatementSummary> {
  const before = await load(ctx, id, true)
  if (before.state !== 'taken') throw fail('bank.wrongState')
  if (before.matched > 0) throw fail('bank.lineMatched', { count: before.matched })
  await sql`delete from bank_lines where company_id = ${ctx.companyId} and statement_id = ${id}`.execute(
    ctx.tx,
  )
  await sql`update bank_statements set state = 'undone', undone_at = now(), updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit(
    'bankstatements.undo',
    'bankaccounts',
    before.bankAccountId,
    { name: before.name, lines: before.taken },
    undefined,
  )
  const { headRow: _h, mapping: _m, content: _c, accountNumber: _a, ...summary } = await load(ctx, id)
  return summary
}

/**
 * What a bank account stood at when a day ended, by its statements; null when nothing up to that day is
 * known.
 */
export async function bankBalanceOn(ctx: Ctx, bankAccountId: string, day: string): Promise<number | null> {
  const scope = sql`l.company_id = ${ctx.companyId} and l.bank_account_id = ${bankAccountId}
      and l.day <= ${day}`
  // Lines are gone through from the last that bears a balance; all of them only where none does.
  const { rows } = await sql<{ balance: number | null }>`
    with last as (select l.day, l.statement_id, l.position, l.balance_agorot from bank_lines l
      where ${scope} and l.balance_agorot is not null order by l.day desc, l.statement_id desc,
        l.position desc limit 1)
    select (case when exists (select 1 from last) then (select balance_agorot from last) +
      coalesce((select sum(l.amount_agorot) from bank_lines l
        where ${scope} and l.day >= (select day from last)
          and (l.day, l.statement_id, l.position) > ((select day from last), (select statement_id from last),
          (select position from last))), 0)
      else (select sum(l.amount_agorot) from bank_lines l where ${scope}) end)::bigint as balance`.execute(
    ctx.tx,
  )
  return rows[0]!.balance
}

export interface BankStart {
  day: string
  /** What the account stood at before its first line; 0 when the files say no balances. */
  openingAgorot: number
}

/** Where the statements of an account begin. */
export async function startOf(ctx: Ctx, bankAccountId: string): Promise<BankStart | undefined> {
  const { rows } = await sql<{
    day: string
    amount: number
    balance: number | null
  }>`select day, amount_agorot as amount, balance_agorot as balance from bank_lines
    where company_id = ${ctx.companyId} and bank_account_id = ${bankAccountId}
    order by day, statement_id, position limit 1`.execute(ctx.tx)
  const [first] = rows
  return first && { day: first.day, openingAgorot: first.balance === null ? 0 : first.balance - first.amount }
}
