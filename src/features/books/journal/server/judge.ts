import { sql } from 'kysely'
import { systemAccounts, type AccountKind } from '#domain/ledger/chart.ts'
import {
  entriesOf,
  type EntryDraft,
  type Movement,
  type MovementFault,
  type VatCode,
} from '#domain/ledger/movement.ts'
import { formatDay } from '#domain/format.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { JournalLine, LineFault } from '../endpoints.ts'

/** The lines of a batch in the order they were typed. */
export async function linesOf(ctx: Ctx, batchId: string): Promise<JournalLine[]> {
  const { rows } =
    await sql<JournalLine>`select id, position, kind_id as "kindId", day, value_day as "valueDay", reference,
        details,
      debit_account_id as "debitAccountId", credit_account_id as "creditAccountId",
      amount_agorot as "amountAgorot", vat_code_id as "vatCodeId",
      vat_agorot as "vatAgorot", project_id as "projectId", currency, foreign_agorot as "foreignAgorot",
      entry_id as "entryId"
    from journal_lines where company_id = ${ctx.companyId} and batch_id = ${batchId} and archived_at is null
    order by position, id`.execute(ctx.tx)
  return rows
}

/** The currency of the bank account linked to an account; null where none is. `a` is the account. */
export const heldBy = sql`case when exists (select 1 from bank_accounts b where b.company_id = a.company_id
    and b.account_id = a.id)
  then currency_of_account(a.company_id, a.id) end`

/** What changed of a VAT code by day. `c` is the code. */
export const termsOf = sql`coalesce((select
    jsonb_agg(jsonb_build_object('from', n.from_day, 'rateBp', n.rate_bp, 'share', n.vat_share)
    order by n.from_day)
  from vat_code_terms n where n.company_id = c.company_id and n.vat_code_id = c.id and n.archived_at is null),
    '[]'::jsonb)`

/** The cell a fault of a line is said at. */
const cellOf: Record<MovementFault, string> = {
  noAccount: 'debitAccountId',
  sameAccount: 'creditAccountId',
  noAmount: 'amountAgorot',
  vatTooMuch: 'vatAgorot',
  noVatAccount: 'vatCodeId',
  noForeign: 'foreignAgorot',
  otherDay: 'day',
  open: 'amountAgorot',
}

export interface Judged {
  faults: LineFault[]
  entries: readonly EntryDraft[]
  movements: readonly Movement[]
  /** Income and expense of an account, for what a project counts; undefined of any other. */
  profitOf: (account: string) => 'income' | 'expense' | undefined
}

/**
 * Accounts the product posts to hold shekels, unless a bank account in another currency is linked to them.
 */
const ofShekels: ReadonlySet<string> = new Set(Object.values(systemAccounts))

/**
 * What lines would post, and everything against it: line by line, together, and by the accounts and periods of the
 * business.
 */
export async function judge(ctx: Ctx, lines: readonly JournalLine[]): Promise<Judged> {
  const { rows: accounts } = await sql<{
    id: string
    number: string
    kind: AccountKind
    archived: boolean
    /** The currency of its bank account; null where none is linked. */
    held: string | null
  }>`select a.id, a.number, a.kind, a.archived_at is not null as archived,
      ${heldBy} as held
    from accounts a where a.company_id = ${ctx.companyId}`.execute(ctx.tx)
  const accountOf = new Map(accounts.map((one) => [one.id, one]))
  const { rows: codes } = await sql<
    VatCode & { id: string }
  >`select c.id, c.kind, c.vat_share as share, c.account_id as account, ${termsOf} as terms
    from vat_codes c where c.company_id = ${ctx.companyId}`.execute(ctx.tx)
  const codeOf = new Map(codes.map((one) => [one.id, one]))
  const { rows: locked } = await sql<{
    kind: 'vat' | 'month' | 'year'
    from: string
    to: string
  }>`select kind, from_day as "from", to_day as "to" from locked_periods
    where company_id = ${ctx.companyId} and reopened_at is null`.execute(ctx.tx)
  const moves = (id: string | null, currency: string): boolean => {
    const account = id === null ? undefined : accountOf.get(id)
    return !!account && (account.held === null ? !ofShekels.has(account.number) : account.held === currency)
  }
  const foreignOf = ({
    currency,
    foreignAgorot,
    debitAccountId,
    creditAccountId,
  }: JournalLine): Movement['foreign'] =>
    currency === null && foreignAgorot === null
      ? null
      : {
          currency: currency ?? '',
          amount: foreignAgorot ?? 0,
          debit: moves(debitAccountId, currency ?? ''),
          credit: moves(creditAccountId, currency ?? ''),
        }
  const { rows: projects } = await sql<{
    id: string
    name: string
  }>`select id, name from projects where company_id = ${ctx.companyId}
      and (state = 'closed' or archived_at is not null)
    and id = any(${lines.flatMap((line) => line.projectId ?? [])}::uuid[])`.execute(ctx.tx)
  const movements = lines.map((line): Movement => ({
    day: line.day,
    debit: line.debitAccountId,
    credit: line.creditAccountId,
    amount: line.amountAgorot,
    vatCode: line.vatCodeId ? (codeOf.get(line.vatCodeId) ?? null) : null,
    vat: line.vatAgorot,
    foreign: foreignOf(line),
  }))
  const drafts = entriesOf(movements)
  const faults: LineFault[] = []
  const say = (line: JournalLine, field: string, code: string, params?: Record<string, string | number>) =>
    faults.push({ lineId: line.id, field, code, ...(params ? { params } : {}) })
  const differences = new Map(drafts.entries.map((entry) => [entry.lines.at(-1)!, entry.difference]))
  lines.forEach((line, i) => {
    for (const field of ['debitAccountId', 'creditAccountId'] as const) {
      const id = line[field]
      const account = id ? accountOf.get(id) : undefined
      if (!account) continue
      // A balance of a customer or supplier is always its open items: it changes by papers only.
      if (account.number === systemAccounts.customers)
        say(line, field, 'journal.controlCustomers', { number: account.number })
      else if (account.number === systemAccounts.suppliers)
        say(line, field, 'journal.controlSuppliers', { number: account.number })
      else if (account.archived) say(line, field, 'journal.accountGone', { number: account.number })
    }
    const { currency } = line
    if (currency)
      for (const id of [line.debitAccountId, line.creditAccountId]) {
        const account = id ? accountOf.get(id) : undefined
        // What is held in one currency is not moved in another; shekels move by what the line is in them.
        if (account?.held && account.held !== 'ILS' && account.held !== currency)
          say(line, 'currency', 'journal.otherCurrency', { number: account.number, held: account.held })
      }
    const closedProject = projects.find((one) => one.id === line.projectId)
    if (closedProject) say(line, 'projectId', 'projects.closed', { name: closedProject.name })
    const fault = drafts.faults.get(i)
    // How much is missing is a sum of a line: not for eyes that see none.
    if (fault === 'open' && ctx.caller.hideTotalPrices) say(line, cellOf.open, 'journal.unbalanced')
    else if (fault)
      say(
        line,
        cellOf[fault],
        `journal.${fault}`,
        fault === 'open' ? { amount: Math.abs(differences.get(i) ?? 0) } : undefined,
      )
    const closed = locked.find(
      ({ kind, from, to }) =>
        line.day >= from && line.day <= to && (kind !== 'vat' || line.vatCodeId !== null),
    )
    if (closed)
      say(line, 'day', closed.kind === 'vat' ? 'journal.vatPeriodClosed' : 'journal.periodClosed', {
        from: formatDay(closed.from),
        to: formatDay(closed.to),
      })
  })
  const profitOf = (id: string) => {
    const kind = accountOf.get(id)?.kind
    return kind === 'income' || kind === 'expense' ? kind : undefined
  }
  return { faults, entries: drafts.entries, movements, profitOf }
}

export const faultsOf = async (ctx: Ctx, lines: readonly JournalLine[]): Promise<LineFault[]> =>
  (await judge(ctx, lines)).faults
