import { sql } from 'kysely'
import type { z } from 'zod'
import { documentTypes } from '#domain/documents/kinds.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { canDocument, isUnlimited } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { hashToken, newToken } from '#kit/server/rights/vault.ts'
import { announceKey } from '#features/base/session/server/index.ts'
import * as calls from '../endpoints.ts'
import { rulesForKeys } from '../rules.ts'
import { keyBeginnings } from '#kit/server/http/asked.ts'
import { tokens } from '#kit/server/http/api.ts'
import { tokenRefusal } from './find.ts'
import { revoke } from './leaves.ts'
import './upgraded.ts'

export { tradeOf, type Trade } from './trade.ts'
export { findKeyCaller, keyCaller, keyDigest } from './find.ts'

tokens.refusalOf = tokenRefusal

const mostKeys = 50

const columns = sql`k.id, k.name, k.prefix, k.read_only as "readOnly", k.drafts_only as "draftsOnly", k.rules,
    k.docs_allow as "docsAllow",
  k.sum_limit_agorot as "sumLimitAgorot", u.full_name as by, k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", k.used_at as "usedAt",
  k.used_from as "usedFrom", k.created_at as "createdAt",
  k.trade_currencies as "tradeCurrencies", k.trade_always_ok as "tradeAlwaysOk"`

const listKeys = async (ctx: Ctx): Promise<{ rows: calls.ApiKey[] }> => {
  const { rows } =
    await sql<calls.ApiKey>`select ${columns} from api_keys k join users u on u.id = k.created_by
    where k.company_id = ${ctx.companyId} order by k.created_at desc, k.id desc`.execute(ctx.tx)
  return { rows }
}

/** A key with all the rights of the person who makes it. */
export const makeKeyNamed = (ctx: Ctx, name: string) =>
  makeKey(ctx, {
    name,
    readOnly: false,
    draftsOnly: false,
    rules: [],
    docsAllow: [],
    sumLimitAgorot: null,
    expiresOn: null,
  })

/** A key within the rights of its author; its secret is shown once. */
export async function makeKey(
  ctx: Ctx,
  given: z.output<typeof calls.makeKey.input>,
): Promise<z.input<typeof calls.makeKey.output>> {
  const possible = rulesForKeys().map(({ number }) => number)
  const { caller } = ctx
  // Nobody gives a program rights they do not have; at every call its rights are limited to theirs again.
  if (
    given.rules.some(
      (number) => !possible.includes(number) || !(isUnlimited(caller.rules) || caller.rules.includes(number)),
    )
  )
    throw failField('rules', 'fields.choice')
  const types = Object.values(documentTypes).map(({ id }) => id)
  if (given.docsAllow.some((id) => !types.includes(id as never) || !canDocument(caller, id)))
    throw failField('docsAllow', 'fields.choice')
  if (given.expiresOn !== null && given.expiresOn < ctx.today) throw failField('expiresOn', 'fields.dayPast')
  const { rows: counted } = await sql<{
    n: number
  }>`select count(*)::int as n from api_keys where company_id = ${ctx.companyId}
      and revoked_at is null and (expires_at is null or expires_at > now())`.execute(ctx.tx)
  if (counted[0]!.n >= mostKeys) throw fail('apiKeys.tooMany', { most: mostKeys })
  const beginning = keyBeginnings[(await inTestBusiness(ctx)) ? 'test' : 'live']
  const secret = beginning + newToken()
  const id = newId()
  await sql`insert into api_keys (company_id, id, name, prefix, token_hash, created_by, read_only,
      drafts_only, rules, docs_allow, sum_limit_agorot, expires_at)
      values (${ctx.companyId}, ${id}, ${given.name}, ${secret.slice(0, beginning.length + 4)},
        ${hashToken(secret)}, ${caller.userId}, ${given.readOnly},
        ${given.draftsOnly && !given.readOnly}, ${given.rules}, ${given.docsAllow},
        ${given.readOnly ? null : given.sumLimitAgorot},
        (${given.expiresOn}::date + 1)::timestamp at time zone 'Asia/Jerusalem')`.execute(ctx.tx)
  await ctx.audit('apiKeys.make', 'apiKeys', id, undefined, given)
  const key = (await listKeys(ctx)).rows.find((row) => row.id === id)!
  await announceKey(ctx, key)
  return { key, secret }
}

export const implementations = [
  implement(calls.listKeys, listKeys),
  implement(calls.makeKey, makeKey),
  implement(calls.changeKey, async (ctx, { id, tradeCurrencies, tradeAlwaysOk }) => {
    const find = async () => (await listKeys(ctx)).rows.find((row) => row.id === id)
    const before = await find()
    if (!before) throw fail('kit.notFound')
    const now = { tradeCurrencies: before.tradeCurrencies, tradeAlwaysOk: before.tradeAlwaysOk }
    const next = {
      tradeCurrencies: tradeCurrencies === undefined ? now.tradeCurrencies : tradeCurrencies,
      tradeAlwaysOk: tradeAlwaysOk ?? now.tradeAlwaysOk,
    }
    await sql`update api_keys set trade_currencies = ${next.tradeCurrencies},
        trade_always_ok = ${next.tradeAlwaysOk}
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await ctx.audit('apiKeys.change', 'apiKeys', id, now, next)
    return { ...before, ...next }
  }),
  implement(calls.revokeKey, async (ctx, { id }) => {
    await revoke(ctx, id)
    return { done: true as const }
  }),
]
