import { sql } from 'kysely'
import { Failure, forbidden, failField } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { ListSource } from '#kit/server/data/lists.ts'
import { create, serveResource, type ServedResource } from '#kit/server/described/resources.ts'
import { isBankCode } from '#domain/bankAccount.ts'
import { say } from '#kit/server/words.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { accountIds, balanceToday, ensureAccount } from '#features/base/ledger/server/index.ts'
import { bankAccounts, bankLines, type BankAccount } from '../bankAccounts.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { showBank, showBankInDollars } from './demo.ts'
import {
  mapStatement,
  statementsOf,
  takeStatement,
  undoStatement,
  uploadStatement,
  wholeOf,
} from './statements.ts'

export { bankBalanceOn, startOf, takeStatement, uploadStatement } from './statements.ts'

/** What the bank knows is of the whole business. */
const whole = (ctx: Ctx): void => {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}
const onlyWhole = (ctx: Ctx) => (seesWhole(ctx.caller) ? [] : [sql<boolean>`false`])

const last = (column: 'day' | 'balance') =>
  column === 'day'
    ? sql`(select max(l.day) from bank_lines l where l.company_id = t.company_id
        and l.bank_account_id = t.id)`
    : sql`(select l.balance_agorot from bank_lines l where l.company_id = t.company_id
        and l.bank_account_id = t.id and l.balance_agorot is not null
        order by l.day desc, l.statement_id desc, l.position desc limit 1)`

const served: ServedResource = {
  resource: bankAccounts,
  only: onlyWhole,
  compute: {
    balanceDay: last('day'),
    balanceAgorot: last('balance'),
    // In the currency of the account, and as of today, as the bank's own balance is.
    ledgerAgorot: sql`case when t.currency <> 'ILS' and currency_of_account(t.company_id, t.account_id) =
        t.currency
      then coalesce((select sum(amount_in(t.currency, p.amount_agorot, p.currency, p.foreign_amount))
      from postings p where p.company_id = t.company_id and p.account_id = t.account_id
        and p.day <= ${todayThere}), 0)
      else ${balanceToday(sql`t.account_id`, sql`false`)} end::bigint`,
    openLines: sql`(select count(*)::int from bank_lines l where l.company_id = t.company_id
        and l.bank_account_id = t.id
      and not exists (select 1 from match_lines m where m.company_id = l.company_id and m.line_id = l.id))`,
  },
  refNames: {
    accountId: sql`(select a.name from accounts a where a.company_id = t.company_id and a.id = t.account_id)`,
  },
  beforeSave: async (ctx, values, before) => {
    whole(ctx)
    if (values.bankCode !== null && values.bankCode !== undefined && !isBankCode(Number(values.bankCode)))
      throw failField('bankCode', 'fields.choice')
    for (const [name, pattern] of [
      ['branch', /^\d{0,4}$/],
      ['number', /^[\d/-]{0,20}$/],
    ] as const)
      if (values[name] && !pattern.test(String(values[name]))) throw failField(name, 'fields.code')
    const currency = String(values.currency ?? before?.currency ?? 'ILS')
    const accountId =
      (values.accountId as string | null | undefined) ??
      (before?.accountId as string | undefined) ??
      (await usualAccount(ctx, currency))
    await checkAccount(ctx, accountId)
    await refuseMixed(ctx, accountId, currency, before?.id as string | undefined)
    if (before) await refuseWhenUsed(ctx, before, { ...values, accountId })
    return { ...values, accountId }
  },
  beforeMove: async (ctx) => whole(ctx),
}

/**
 * Money lies on an asset, or on a debt to the bank; never on an account that other parts of the books keep
 * for themselves.
 */
async function checkAccount(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql<{ kind: string; key: string | null }>`select kind, key from accounts
    where company_id = ${ctx.companyId} and id = ${id} and archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw failField('accountId', 'fields.ref')
  const taken = [
    'cash',
    'chequesInHand',
    'customers',
    'suppliers',
    'inputVat',
    'inputVatFixedAssets',
    'stock',
  ]
  if (!['asset', 'liability'].includes(rows[0].kind) || taken.includes(rows[0].key ?? ''))
    throw failField('accountId', 'bank.accountKind')
}

/**
 * Shekels are on the ordinary bank account of the books; each other currency has a separate account, the first that
 * of the chart.
 */
async function usualAccount(ctx: Ctx, currency: string): Promise<string> {
  const accounts = await accountIds(ctx)
  if (currency === 'ILS') return accounts.of('bank')
  const { rows } = await sql<{
    account: string
  }>`select account_id as account from bank_accounts where company_id = ${ctx.companyId}
      and currency = ${currency}
    and currency_of_account(company_id, account_id) = currency order by id limit 1`.execute(ctx.tx)
  if (rows[0]) return rows[0].account
  const first = accounts.byNumber('1015')
  const { rows: taken } = await sql`select 1 from bank_accounts where company_id = ${ctx.companyId}
        and account_id = ${first ?? null} limit 1`.execute(ctx.tx)
  if (first && !taken.length) return first
  const { language } = await companyOf(ctx)
  const name = say(language, 'bank.inCurrency', { currency })
  return ensureAccount(ctx, {
    key: `bank${currency}`,
    number: '1015',
    kind: 'asset',
    sortCode: '110',
    code6111: '7120',
    name,
  })
}

/**
 * Two currencies on one account of the books could not be told apart: no line of the one would ever be found.
 */
async function refuseMixed(
  ctx: Ctx,
  accountId: string,
  currency: string,
  id: string | undefined,
): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`select name from bank_accounts where company_id = ${ctx.companyId} and account_id = ${accountId}
    and currency <> ${currency} and archived_at is null and id is distinct from ${id ?? null}::uuid
    limit 1`.execute(ctx.tx)
  if (rows[0]) throw failField('accountId', 'bank.mixedCurrency', { name: rows[0].name })
}

/** What is matched was matched on the account it stood on, in its currency. */
async function refuseWhenUsed(
  ctx: Ctx,
  before: Record<string, unknown>,
  now: Record<string, unknown>,
): Promise<void> {
  const moves = now.accountId !== before.accountId
  const changes = now.currency !== undefined && now.currency !== before.currency
  if (!moves && !changes) return
  const { rows } = await sql<{ lines: boolean; matched: boolean }>`select true as lines,
      exists (select 1 from match_lines m join bank_lines x on x.company_id = m.company_id
      and x.id = m.line_id where x.company_id = ${ctx.companyId} and x.bank_account_id = ${before.id}) as
      matched
    from bank_lines l where l.company_id = ${ctx.companyId} and l.bank_account_id = ${before.id}
    limit 1`.execute(ctx.tx)
  if (moves && rows[0]?.matched)
    throw new Failure('kit.badInput', {}, [{ path: 'accountId', code: 'bank.accountUsed' }])
  if (changes && rows[0]) throw new Failure('kit.badInput', {}, [{ path: 'currency', code: 'bank.hasLines' }])
}

/** Opens a bank account on the way. */
export const createBankAccount = (ctx: Ctx, values: Record<string, unknown>): Promise<BankAccount> =>
  create(ctx, served, values) as Promise<BankAccount>

/** A bank account with a statement, for a business that is shown. */
export const showBankAccount = (ctx: Ctx): Promise<void> => showBank(ctx, createBankAccount)

/** Another one, in dollars. */
export const showDollarAccount = (ctx: Ctx): ReturnType<typeof showBankInDollars> =>
  showBankInDollars(ctx, createBankAccount)

const matchOf = (what: 'number' | 'deed') =>
  sql`(select m.${sql.ref(what)} from match_lines x join matches m on m.company_id = x.company_id
      and m.id = x.match_id where x.company_id = t.company_id and x.line_id = t.id)`

const lineList: ListSource = {
  resource: bankLines,
  noArchive: true,
  only: onlyWhole,
  compute: {
    matchNumber: matchOf('number'),
    currency: sql`(select a.currency from bank_accounts a where a.company_id = t.company_id
        and a.id = t.bank_account_id)`,
    state: sql`case when not exists (select 1 from match_lines x where x.company_id = t.company_id
        and x.line_id = t.id) then 'open'
      when ${matchOf('deed')} is null then 'matched' else 'booked' end`,
  },
  refNames: {
    bankAccountId: sql`(select a.name from bank_accounts a where a.company_id = t.company_id
        and a.id = t.bank_account_id)`,
  },
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
