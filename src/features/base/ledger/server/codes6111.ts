import { sql } from 'kysely'
import type { z } from 'zod'
import { codes6111, type Code6111 } from '#domain/ledger/codes6111.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import type { codes6111Of as listCall, import6111 as importCall, tie6111 as tieCall } from '../endpoints.ts'
import type { readers } from './readers.ts'

/** The authority's codes of a year and those the business brought in, which win. */
export async function codesOf(ctx: Ctx, year: number): Promise<Code6111[]> {
  const { rows: own } =
    await sql<Code6111>`select code, name, part from codes6111 where company_id = ${ctx.companyId}
        and year = ${year}`.execute(ctx.tx)
  const brought = new Set(own.map(({ code }) => code))
  return [...codes6111(year).filter(({ code }) => !brought.has(code)), ...own].toSorted(
    (l, r) => Number(l.code) - Number(r.code),
  )
}

/** The code of every account in a tax year: said for the year, or the account's own. */
export async function codes6111Of(ctx: Ctx, year: number): Promise<z.input<typeof listCall.output>> {
  const { rows } = await sql<
    z.input<typeof listCall.output>['rows'][number]
  >`select a.id as "accountId", a.number, a.name, a.kind,
      coalesce(c.code, a.code6111) as code, c.code is not null as own
    from accounts a left join account_codes6111 c on c.company_id = a.company_id and c.account_id = a.id
      and c.year = ${year}
    where a.company_id = ${ctx.companyId} and a.archived_at is null order by a.number`.execute(ctx.tx)
  return { year, codes: await codesOf(ctx, year), rows }
}

export async function tie6111(
  ctx: Ctx,
  { year, ties }: z.output<typeof tieCall.input>,
): Promise<{ done: true }> {
  const known = new Set((await codesOf(ctx, year)).map(({ code }) => code))
  const { rows } = await sql<{
    id: string
  }>`select id from accounts where company_id = ${ctx.companyId}
      and id = any(${ties.map((t) => t.accountId)}::uuid[])`.execute(ctx.tx)
  const accounts = new Set(rows.map(({ id }) => id))
  const wrong = ties.flatMap(({ accountId, code }, i) =>
    !accounts.has(accountId)
      ? [{ path: `ties.${i}.accountId`, code: 'fields.ref' }]
      : code && !known.has(code)
        ? [{ path: `ties.${i}.code`, code: 'ledger.unknownCode' }]
        : [],
  )
  if (wrong.length) throw new Failure('kit.badInput', {}, wrong)
  for (const { accountId, code } of ties)
    await (
      code === null
        ? sql`delete from account_codes6111 where company_id = ${ctx.companyId} and account_id = ${accountId}
            and year = ${year}`
        : sql`insert into account_codes6111 (company_id, account_id, year, code)
          values (${ctx.companyId}, ${accountId}, ${year}, ${code})
          on conflict (company_id, account_id, year) do update set code = excluded.code`
    ).execute(ctx.tx)
  await ctx.audit('ledger.tie6111', 'accounts', null, undefined, { year, ties })
  return { done: true }
}

export async function import6111(
  ctx: Ctx,
  { year, bytes }: z.output<typeof importCall.input>,
): Promise<{ codes: number }> {
  const read = await readIn<typeof readers>()('ledger.codes6111', { bytes })
  if ('wrongRow' in read) throw fail('ledger.csvRow', { row: read.wrongRow })
  const codes = [...new Map(read.codes.map((one) => [one.code, one])).values()].map((one) => ({
    company_id: ctx.companyId,
    year,
    ...one,
  }))
  if (codes.length === 0) throw fail('ledger.csvEmpty')
  await sql`insert into codes6111 (company_id, year, code, name, part)
    select company_id, year, code, name, part
    from jsonb_populate_recordset(null::codes6111, ${JSON.stringify(codes)}::jsonb)
    on conflict (company_id, year, code) do update set name = excluded.name, part = excluded.part`.execute(
    ctx.tx,
  )
  await ctx.audit('ledger.import6111', 'accounts', null, undefined, { year, codes: codes.length })
  return { codes: codes.length }
}
