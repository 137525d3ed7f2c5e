import { sql } from 'kysely'
import type { z } from 'zod'
import { systemAccounts, type AccountKind } from '#domain/ledger/chart.ts'
import { balance, credit, debit, type Posting } from '#domain/ledger/entry.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { addEntry as call } from '../endpoints.ts'
import { post } from './post.ts'

type Line = z.output<typeof call.input>['lines'][number]

/** What customers and suppliers owe changes by their papers, so that a balance is always its open items. */
const controlAccounts: readonly string[] = [systemAccounts.customers, systemAccounts.suppliers]
/**
 * Accounts the product posts to hold shekels, unless a bank account in another currency is linked to them.
 */
const ofShekels: ReadonlySet<string> = new Set(Object.values(systemAccounts))

interface Account {
  id: string
  number: string
  kind: AccountKind
  /** The currency of the bank account that is linked to it; null where none is. */
  held: string | null
}

const refuse = (i: number, field: string, code: string, params?: Record<string, string | number>): never => {
  throw new Failure('kit.badInput', {}, [
    { path: `lines.${i}.${field}`, code, ...(params ? { params } : {}) },
  ])
}

/** What a line moves of another currency; nothing of one in shekels. */
function foreignOf(
  { currency, foreignAgorot, debitAgorot, creditAgorot }: Line,
  account: Account,
  i: number,
): Posting['foreign'] {
  if (!currency || currency === 'ILS') {
    if (foreignAgorot) refuse(i, 'currency', 'fields.need')
    return undefined
  }
  const held = account.held ?? (ofShekels.has(account.number) ? 'ILS' : currency)
  if (held !== currency) refuse(i, 'currency', 'ledger.otherCurrency', { number: account.number, held })
  if (!foreignAgorot) return refuse(i, 'foreignAgorot', 'fields.need')
  return { currency, amount: debitAgorot >= creditAgorot ? foreignAgorot : -foreignAgorot }
}

/** Refuses projects this business has not, or has closed. */
async function checkProjects(ctx: Ctx, lines: readonly Line[]): Promise<void> {
  const asked = lines.flatMap((line) => line.projectId ?? [])
  if (!asked.length) return
  const { rows } = await sql<{
    id: string
    name: string
    isClosed: boolean
  }>`select id, name, state = 'closed' or archived_at is not null as "isClosed"
    from projects where company_id = ${ctx.companyId} and id = any(${asked}::uuid[])`.execute(ctx.tx)
  lines.forEach(({ projectId }, i) => {
    if (!projectId) return
    const project = rows.find((one) => one.id === projectId)
    if (!project) refuse(i, 'projectId', 'fields.ref')
    else if (project.isClosed) refuse(i, 'projectId', 'projects.closed', { name: project.name })
  })
}

/**
 * A journal entry by hand. A line may say what it moves of another currency, and the project its income or
 * expense counts for.
 */
export async function addEntry(ctx: Ctx, given: z.output<typeof call.input>): Promise<{ id: string }> {
  const { rows: accounts } = await sql<Account>`select a.id, a.number, a.kind,
      case when exists (select 1 from bank_accounts b where b.company_id = a.company_id
      and b.account_id = a.id) then currency_of_account(a.company_id, a.id) end as held
    from accounts a where a.company_id = ${ctx.companyId} and a.archived_at is null`.execute(ctx.tx)
  await checkProjects(ctx, given.lines)
  const ofProjects: { project: string; account: string; amount: number }[] = []
  const postings = given.lines.flatMap((line, i): Posting[] => {
    const account = accounts.find(
      (a) => a.id === line.accountId || (line.accountNumber !== undefined && a.number === line.accountNumber),
    )
    if (!account) return refuse(i, 'accountId', 'fields.ref')
    if (controlAccounts.includes(account.number))
      throw fail('ledger.controlAccount', { number: account.number })
    const amount = line.debitAgorot - line.creditAgorot
    if (line.projectId && amount && (account.kind === 'income' || account.kind === 'expense'))
      ofProjects.push({ project: line.projectId, account: account.id, amount })
    const foreign = foreignOf(line, account, i)
    return foreign
      ? [{ ...debit(account.id, amount), foreign }]
      : [debit(account.id, line.debitAgorot), credit(account.id, line.creditAgorot)]
  })
  if (balance(postings) !== 0) throw fail('ledger.notBalanced')
  const id = await post(ctx, {
    day: given.date,
    ...(given.valueDate ? { valueDay: given.valueDate } : {}),
    kind: 'manual',
    reference: given.reference ?? '',
    details: given.details ?? '',
    postings,
  })
  if (ofProjects.length)
    await sql`insert into entry_projects (company_id, entry_id, project_id, account_id, amount_agorot)
      select ${ctx.companyId}, ${id}, p.project, p.account, sum(p.amount)
      from jsonb_to_recordset(${JSON.stringify(ofProjects)}::jsonb) as p
        (project uuid, account uuid, amount bigint)
      group by p.project, p.account having sum(p.amount) <> 0`.execute(ctx.tx)
  await ctx.audit('ledger.addEntry', 'entries', id, undefined, given)
  return { id }
}
