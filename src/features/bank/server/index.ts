import { sql } from 'kysely'
import { Failure, fail, failField } from '../../../kit/describe/errors.ts'
import { seesWhole } from '../../../kit/describe/session.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { implement } from '../../../kit/server/implement.ts'
import type { ListSource } from '../../../kit/server/lists.ts'
import { create, serveResource, type ServedResource } from '../../../kit/server/resources.ts'
import { isBankCode } from '../../../domain/bankAccount.ts'
import { accountIds } from '../../ledger/server/index.ts'
import { bankAccounts, bankLines, type BankAccount } from '../bankAccounts.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { showBank } from './demo.ts'
import { mapStatement, statementsOf, takeStatement, undoStatement, uploadStatement, wholeOf } from './statements.ts'

export { bankBalanceOn, startOf, takeStatement, uploadStatement } from './statements.ts'

/** What the bank knows is of the whole business. */
const whole = (ctx: Ctx): void => {
  if (!seesWhole(ctx.caller)) throw fail('session.forbidden')
}
const onlyWhole = (ctx: Ctx) => (seesWhole(ctx.caller) ? [] : [sql<boolean>`false`])

const last = (column: 'day' | 'balance') =>
  column === 'day'
    ? sql`(select max(l.day) from bank_lines l where l.company_id = t.company_id and l.bank_account_id = t.id)`
    : sql`(select l.balance_agorot from bank_lines l where l.company_id = t.company_id and l.bank_account_id = t.id and l.balance_agorot is not null
        order by l.day desc, l.statement_id desc, l.position desc limit 1)`

const served: ServedResource = {
  resource: bankAccounts,
  only: onlyWhole,
  compute: {
    balanceDay: last('day'),
    balanceAgorot: last('balance'),
    ledgerAgorot: sql`coalesce((select sum(m.debit_agorot - m.credit_agorot) from account_months m where m.company_id = t.company_id and m.account_id = t.account_id), 0)::bigint`,
    openLines: sql`(select count(*)::int from bank_lines l where l.company_id = t.company_id and l.bank_account_id = t.id
      and not exists (select 1 from match_lines m where m.company_id = l.company_id and m.line_id = l.id))`,
  },
  refNames: { accountId: sql`(select a.name from accounts a where a.company_id = t.company_id and a.id = t.account_id)` },
  beforeSave: async (ctx, values, before) => {
    whole(ctx)
    if (values.bankCode !== null && values.bankCode !== undefined && !isBankCode(Number(values.bankCode)))
      throw failField('bankCode', 'fields.choice')
    for (const [name, pattern] of [
      ['branch', /^\d{0,4}$/],
      ['number', /^[\d/-]{0,20}$/],
    ] as const)
      if (values[name] && !pattern.test(String(values[name]))) throw failField(name, 'fields.code')
    const accountId =
      (values.accountId as string | null | undefined) ?? (before?.accountId as string | undefined) ?? (await accountIds(ctx)).of('bank')
    await checkAccount(ctx, accountId)
    if (before) await refuseWhenUsed(ctx, before, { ...values, accountId })
    return { ...values, accountId }
  },
  beforeMove: async (ctx) => whole(ctx),
}

/** Money lies on an asset, or on a debt to the bank; never on an account that other parts of the books keep for themselves. */
async function checkAccount(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql<{ kind: string; key: string | null }>`select kind, key from accounts
    where company_id = ${ctx.companyId} and id = ${id} and archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw failField('accountId', 'fields.ref')
  const taken = ['cash', 'chequesInHand', 'customers', 'suppliers', 'inputVat', 'inputVatFixedAssets', 'stock']
  if (!['asset', 'liability'].includes(rows[0].kind) || taken.includes(rows[0].key ?? '')) throw failField('accountId', 'bank.accountKind')
}

/** What is matched was matched on the account it stood on, in its currency. */
async function refuseWhenUsed(ctx: Ctx, before: Record<string, unknown>, now: Record<string, unknown>): Promise<void> {
  const moves = now.accountId !== before.accountId
  const changes = now.currency !== undefined && now.currency !== before.currency
  if (!moves && !changes) return
  const { rows } = await sql<{ lines: boolean; matched: boolean }>`select true as lines,
      exists (select 1 from match_lines m join bank_lines x on x.company_id = m.company_id and x.id = m.line_id where x.company_id = ${ctx.companyId} and x.bank_account_id = ${before.id}) as matched
    from bank_lines l where l.company_id = ${ctx.companyId} and l.bank_account_id = ${before.id} limit 1`.execute(ctx.tx)
  if (moves && rows[0]?.matched) throw new Failure('kit.badInput', {}, [{ path: 'accountId', code: 'bank.accountUsed' }])
  if (changes && rows[0]) throw new Failure('kit.badInput', {}, [{ path: 'currency', code: 'bank.hasLines' }])
}

/** Opens a bank account on the way. */
export const createBankAccount = (ctx: Ctx, values: Record<string, unknown>): Promise<BankAccount> =>
  create(ctx, served, values) as Promise<BankAccount>

/** A bank account with a statement, for a business that is shown. */
export const showBankAccount = (ctx: Ctx): Promise<void> => showBank(ctx, createBankAccount)

const matchOf = (what: 'number' | 'deed') =>
  sql`(select m.${sql.ref(what)} from match_lines x join matches m on m.company_id = x.company_id and m.id = x.match_id where x.company_id = t.company_id and x.line_id = t.id)`

const lineList: ListSource = {
  resource: bankLines,
  noArchive: true,
  only: onlyWhole,
  compute: {
    matchNumber: matchOf('number'),
    state: sql`case when not exists (select 1 from match_lines x where x.company_id = t.company_id and x.line_id = t.id) then 'open'
      when ${matchOf('deed')} is null then 'matched' else 'booked' end`,
  },
  refNames: { bankAccountId: sql`(select a.name from bank_accounts a where a.company_id = t.company_id and a.id = t.bank_account_id)` },
  search: (q) => {
    const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
    return sql`(t.text ilike ${pattern} or t.details ilike ${pattern} or t.reference ilike ${pattern})`
  },
}

export const implementations = [
  ...serveResource(served),
  ...serveResource({ ...lineList, verbs: ['list', 'export'] }),
  implement(calls.uploadStatement, (ctx, { id, name, bytes }) => {
    whole(ctx)
    return uploadStatement(ctx, { id, name, file: bytes })
  }),
  implement(calls.listStatements, async (ctx, { bankAccountId }) => {
    whole(ctx)
    return { rows: await statementsOf(ctx, bankAccountId) }
  }),
  implement(calls.getStatement, (ctx, { id }) => {
    whole(ctx)
    return wholeOf(ctx, id)
  }),
  implement(calls.mapStatement, (ctx, given) => {
    whole(ctx)
    return mapStatement(ctx, given)
  }),
  implement(calls.takeStatement, (ctx, given) => {
    whole(ctx)
    return takeStatement(ctx, given)
  }),
  implement(calls.undoStatement, (ctx, { id }) => {
    whole(ctx)
    return undoStatement(ctx, id)
  }),
]
