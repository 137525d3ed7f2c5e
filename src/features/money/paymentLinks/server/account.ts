import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { lockAway, newToken, takeOut } from '#kit/server/vault.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { AcquirerAccount } from '../endpoints.ts'
import type { Account, Acquirer } from './acquirer.ts'
import { testAcquirer } from './testAcquirer.ts'

interface Stored {
  is_on: boolean
  notice_key: string
  secret_sealed: Buffer
  most_instalments: number
}

/** The one there is. Another takes its place here, by the name that stands on the account and on every charge. */
export const acquirerNamed = (app: App, _name: 'test'): Acquirer => testAcquirer(app)

/** The test acquirer issues receipts for money that never came: on a server that serves people it is for demo businesses only. */
const mayTest = async (ctx: Ctx): Promise<boolean> => ctx.app.settings.testAcquirer || (await companyOf(ctx)).demo

const stored = async (ctx: Ctx): Promise<Stored | undefined> =>
  (
    await sql<Stored>`select is_on, notice_key, secret_sealed, most_instalments from acquirer_accounts
      where company_id = ${ctx.companyId} and acquirer = 'test'`.execute(ctx.tx)
  ).rows[0]

export interface Terminal {
  acquirer: Acquirer
  account: Account
  noticeTo: string
  mostInstalments: number
}

const terminalFrom = (ctx: Ctx, row: Stored): Terminal => ({
  acquirer: acquirerNamed(ctx.app, 'test'),
  account: { companyId: ctx.companyId, secret: takeOut(ctx.app.secrets.vault, row.secret_sealed).toString() },
  noticeTo: `${ctx.app.publicUrl()}/api2/invoice/acquirer/${row.notice_key}/notice`,
  mostInstalments: row.most_instalments,
})

/** By what cards are taken now; undefined when they are not. */
export async function terminalOf(ctx: Ctx): Promise<Terminal | undefined> {
  const row = await stored(ctx)
  return row?.is_on && (await mayTest(ctx)) ? terminalFrom(ctx, row) : undefined
}

/** For charges that were begun before: also when no new ones are. */
export async function terminalOfBefore(ctx: Ctx): Promise<Terminal> {
  const row = await stored(ctx)
  if (!row) throw fail('paymentLinks.off')
  return terminalFrom(ctx, row)
}

export async function accountOf(ctx: Ctx): Promise<AcquirerAccount> {
  const row = await stored(ctx)
  const may = await mayTest(ctx)
  return { mayTest: may, isOn: may && (row?.is_on ?? false), mostInstalments: row?.most_instalments ?? 1 }
}

export async function changeAccount(ctx: Ctx, given: { isOn?: boolean | undefined; mostInstalments?: number | undefined }) {
  if (given.isOn && !(await mayTest(ctx))) throw fail('paymentLinks.off')
  const before = await accountOf(ctx)
  await sql`insert into acquirer_accounts (company_id, acquirer, is_on, notice_key, secret_sealed, most_instalments)
    values (${ctx.companyId}, 'test', ${given.isOn ?? false}, ${newToken()}, ${lockAway(ctx.app.secrets.vault, Buffer.from(newToken()))}, ${given.mostInstalments ?? 1})
    on conflict (company_id, acquirer) do update set is_on = coalesce(${given.isOn ?? null}, acquirer_accounts.is_on),
      most_instalments = coalesce(${given.mostInstalments ?? null}, acquirer_accounts.most_instalments), updated_at = now()`.execute(ctx.tx)
  const after = await accountOf(ctx)
  await ctx.audit('paymentLinks.changeAcquirer', 'companies', ctx.companyId, before, after)
  return after
}

/** Whose notices come to an address; the business and its terminal. */
export async function companyOfNotices(tx: Ctx['tx'], noticeKey: string): Promise<string | undefined> {
  const { rows } = await sql<{ company_id: string }>`select company_id from acquirer_accounts where notice_key = ${noticeKey}`.execute(tx)
  return rows[0]?.company_id
}
