import { sql } from 'kysely'
import { outsideTurnover, type AccountKind } from '#domain/ledger/chart.ts'
import { newId, type Ctx } from '#kit/server/context.ts'

/**
 * The account a key names, made when the chart has none: at its customary number or the next free one. A
 * business finds it among its accounts and may call it as it likes; the key stays.
 */
export async function ensureAccount(
  ctx: Ctx,
  wanted: {
    key: string
    number: string
    kind: AccountKind
    sortCode: string
    code6111: string
    name: string
  },
): Promise<string> {
  const known = async () =>
    (
      await sql<{
        id: string
      }>`select id from accounts where company_id = ${ctx.companyId} and key = ${wanted.key}`.execute(ctx.tx)
    ).rows[0]?.id
  const before = await known()
  if (before) return before
  const { rows } = await sql<{
    number: string
  }>`select number from accounts where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const taken = new Set(rows.map((r) => r.number))
  let number = Number(wanted.number)
  while (taken.has(String(number))) number++
  await sql`insert into accounts (company_id, id, number, key, name, kind, sort_code, code6111,
      outside_turnover)
    values (${ctx.companyId}, ${newId()}, ${String(number)}, ${wanted.key}, ${wanted.name}, ${wanted.kind},
      ${wanted.sortCode}, ${wanted.code6111}, ${outsideTurnover(wanted.kind, wanted.code6111)})
    on conflict do nothing`.execute(ctx.tx)
  return (await known())!
}
