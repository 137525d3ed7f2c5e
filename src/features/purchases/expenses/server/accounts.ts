import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'

/** Accounts that expenses need and no chart begins with; made when the first expense asks for them. */
const own = {
  /** VAT of a bill that is claimed in a later period. */
  inputVatLater: { number: 1205, kind: 'asset', sortCode: '400', code6111: '7440' },
  /** What the credit card company will take from the bank. */
  cardsPayable: { number: 2020, kind: 'liability', sortCode: '310', code6111: '9230' },
} as const

export async function ownAccount(ctx: Ctx, key: keyof typeof own): Promise<string> {
  const known = await byKey(ctx, [key])
  if (known) return known
  const { language } = await companyOf(ctx)
  const { kind, sortCode, code6111 } = own[key]
  const { rows } = await sql<{
    number: string
  }>`select number from accounts where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const taken = new Set(rows.map((r) => r.number))
  let { number }: { number: number } = own[key]
  while (taken.has(String(number))) number++
  await sql`insert into accounts (company_id, id, number, key, name, kind, sort_code, code6111)
    values (${ctx.companyId}, ${newId()}, ${String(number)}, ${key},
      ${say(language, `expenses.accounts.${key}`)}, ${kind}, ${sortCode}, ${code6111})
      on conflict do nothing`.execute(ctx.tx)
  return (await byKey(ctx, [key]))!
}

async function byKey(ctx: Ctx, keys: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{
    id: string
  }>`select id from accounts where company_id = ${ctx.companyId} and key = any(${[...keys]}) order by number
    limit 1`.execute(ctx.tx)
  return rows[0]?.id
}

/** The account an expense is paid from. */
export async function meansAccount(
  ctx: Ctx,
  means: 'cash' | 'bank' | 'card' | 'cheque' | 'owner',
): Promise<string> {
  if (means === 'card') return ownAccount(ctx, 'cardsPayable')
  const keys = {
    cash: ['cash'],
    bank: ['bank'],
    cheque: ['chequesGiven'],
    owner: ['ownerDrawings', 'partnersDrawings', 'shareholders'],
  }[means]
  const id = await byKey(ctx, keys)
  if (!id) throw failField('means', 'expenses.noMeansAccount')
  return id
}
