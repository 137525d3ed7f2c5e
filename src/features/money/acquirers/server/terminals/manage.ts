import { sql } from 'kysely'
import { typeOfAccount } from '#features/purchases/expenses/server/index.ts'
import { fail, failField, Failure } from '#kit/describe/errors.ts'
import { newId, type App, type Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { encrypt, newToken } from '#kit/server/rights/vault.ts'
import type { GatewayName } from '../../acquirers.ts'
import { usersOf } from '../cards/users.ts'
import { abilitiesOf, type Gateway, type Settings } from '../gateway.ts'
import { gatewayNamed, gateways } from '../gateways/index.ts'
import { isReached } from './reached.ts'
import {
  allTerminals,
  isSandbox,
  mayTest,
  plugged,
  settingsOf,
  terminalRow,
  testRow,
  type TerminalRow,
} from './terminals.ts'

/** The connection of a gateway that only lists its abilities. */
const noWire = { home: '', ask: () => Promise.reject(new Error('nobody is connected')) }

const abilitiesNamed = (app: App, gateway: Gateway) =>
  abilitiesOf(gateway, gateway.connect({ settings: {}, wire: noWire, app, companyId: '' }))

/** All that can be connected, what each can do and how many terminals of it there are. */
export async function offered(ctx: Ctx) {
  const rows = await allTerminals(ctx)
  const test = await mayTest(ctx)
  // Nothing leaves a business that is only for trying: it has the test terminal.
  const isForTrying = await inTestBusiness(ctx)
  return {
    rows: gateways
      .filter((gateway) => (gateway.isTest ? test : !isForTrying))
      .map((gateway) => ({
        name: gateway.name,
        isTest: gateway.isTest ?? false,
        abilities: abilitiesNamed(ctx.app, gateway),
        currencies: [...gateway.currencies],
        fields: gateway.settings.map(({ name, kind, optional, choices, start }) => ({
          name,
          kind,
          optional: optional ?? false,
          choices: choices ? [...choices] : null,
          start: start ?? '',
        })),
        terminals: rows
          .filter((row) => row.gateway === gateway.name)
          .map(({ id, name, state }) => ({ id, name, state })),
      })),
  }
}

const shown = (ctx: Ctx, row: TerminalRow) => {
  const gateway = gatewayNamed(row.gateway)
  return {
    id: row.id,
    gateway: row.gateway,
    name: row.name,
    state: row.state,
    isTest: gateway.isTest ?? false,
    isSandbox: isSandbox(settingsOf(ctx.app, row)),
    currencies: row.currencies,
    fromAgorot: row.from_agorot,
    toAgorot: row.to_agorot,
    instalments: row.instalments,
    mayInstalments: gateway.instalments,
    feeAccountId: row.fee_account_id,
    provedAt: row.proved_at,
    answeredAt: row.answered_at,
    failedAt: row.failed_at,
    lastError: row.last_error,
    isReached: isReached(ctx.app, gateway),
    abilities: abilitiesNamed(ctx.app, gateway),
  }
}

/** Terminals in the order they are tried, as the person who may not see keys sees them. */
export async function listTerminals(ctx: Ctx) {
  const may = await mayTest(ctx)
  return {
    rows: (await allTerminals(ctx))
      .filter((row) => row.gateway !== 'test' || may)
      .map((row) => shown(ctx, row)),
  }
}

/**
 * One terminal with its form, its last calls and how it did this week. Of a secret it is said only that it is
 * there.
 */
export async function showTerminal(ctx: Ctx, id: string) {
  const row = await terminalRow(ctx, id)
  const gateway = gatewayNamed(row.gateway)
  const settings = settingsOf(ctx.app, row)
  const { rows: calls } = await sql<{
    at: string
    call: string
    status: number
    tookMs: number
    code: string
    words: string
  }>`select at, call, status,
      took_ms as "tookMs", code, words from terminal_calls where company_id = ${ctx.companyId}
      and terminal_id = ${id} order by at desc, id desc limit 20`.execute(ctx.tx)
  const { rows: week } = await sql<{
    kind: string
    code: string
    count: number
    shareBp: number
  }>`select kind, code, count(*)::int as count,
      round(count(*) * 10000.0 / sum(count(*)) over ())::int as "shareBp"
    from (select case when passed then 'paid' else coalesce(nullif(decline_class, ''), 'hard') end as kind,
      case when passed then '' else decline_code end as code
      from (select *, state in ('paid', 'held', 'released', 'saved') as passed from charges
      where company_id = ${ctx.companyId} and terminal_id = ${id}
          and created_at > ${new Date(ctx.now.getTime() - 7 * 86_400_000)}) c
      where passed or decline_code <> '') c group by 1, 2 order by 3 desc, 2`.execute(ctx.tx)
  const { rows: cards } = await sql<{ count: number }>`select count(*)::int as count from cards
    where company_id = ${ctx.companyId} and terminal_id = ${id} and state = 'active'`.execute(ctx.tx)
  const { rows: account } = await sql<{
    name: string
  }>`select name from accounts where company_id = ${ctx.companyId} and id = ${row.fee_account_id}`.execute(
    ctx.tx,
  )
  return {
    ...shown(ctx, row),
    mayCurrencies: [...gateway.currencies],
    feeAccountName: account[0]?.name ?? null,
    noticeTo: plugged(ctx.app, ctx.companyId, row).noticeTo,
    fields: gateway.settings.map(({ name, kind, optional, choices, start }) => ({
      name,
      kind,
      optional: optional ?? false,
      choices: choices ? [...choices] : null,
      value: kind === 'secret' ? null : (settings[name] ?? start ?? ''),
      isSet: !!settings[name],
    })),
    calls,
    week,
    cards: cards[0]!.count,
  }
}

/**
 * Settings as they are kept: those the gateway knows, each as it must look; a secret that is left empty stays
 * as it was.
 */
function checkedSettings(gateway: Gateway, given: Settings, before: Settings = {}): Settings {
  const wrong: { path: string; code: string }[] = []
  const kept: Record<string, string> = {}
  for (const { name, kind, optional, choices, start, like } of gateway.settings) {
    const typed = (given[name] ?? (kind === 'secret' ? '' : before[name]) ?? start ?? '').trim()
    const value = kind === 'secret' && typed === '' ? (before[name] ?? '') : typed
    if (value === '' && kind === 'flag') continue
    if (value === '' && !optional) wrong.push({ path: `settings.${name}`, code: 'fields.need' })
    else if (value.length > 300) wrong.push({ path: `settings.${name}`, code: 'fields.tooLong' })
    else if (
      value !== '' &&
      (/[\u0000-\u001f\u007f]/.test(value) ||
        (like && !like.test(value)) ||
        (choices && !choices.includes(value)))
    )
      wrong.push({ path: `settings.${name}`, code: 'fields.code' })
    else if (value !== '') kept[name] = value
  }
  if (wrong.length) throw new Failure('kit.badInput', {}, wrong)
  return kept
}

const sealed = (ctx: Ctx, settings: Settings): Buffer =>
  encrypt(ctx.app.secrets.vault, Buffer.from(JSON.stringify(settings)))

export async function addTerminal(
  ctx: Ctx,
  {
    gateway: named,
    name = '',
    settings = {},
  }: { gateway: GatewayName; name?: string | undefined; settings?: Settings | undefined },
) {
  const gateway = gatewayNamed(named)
  if (gateway.isTest) {
    if (!(await mayTest(ctx))) throw fail('paymentLinks.off')
    if (await testRow(ctx)) throw fail('acquirers.onlyOne')
  }
  const kept = gateway.isTest ? { secret: newToken() } : checkedSettings(gateway, settings)
  const id = newId()
  await sql`insert into terminals (company_id, id, gateway, name, settings_sealed, notice_key, state,
      proved_at, position)
    select ${ctx.companyId}, ${id}, ${named}, ${name.trim()}, ${sealed(ctx, kept)}, ${newToken()},
      ${gateway.isTest ? 'proved' : 'draft'},
      ${gateway.isTest ? ctx.now : null}::timestamptz,
      least(coalesce(max(position), 0) + 1, 999) from terminals where company_id = ${ctx.companyId}`.execute(
    ctx.tx,
  )
  await ctx.audit('terminals.add', 'terminals', id, undefined, { gateway: named, name })
  return showTerminal(ctx, id)
}

export interface TerminalChange {
  id: string
  name?: string | undefined
  settings?: Settings | undefined
  currencies?: string[] | undefined
  fromAgorot?: number | null | undefined
  toAgorot?: number | null | undefined
  instalments?: { fromAgorot: number; most: number }[] | undefined
  feeAccountId?: string | null | undefined
  isOff?: boolean | undefined
}

/**
 * Changes a terminal. New keys are to be proved again; where its number changes, the cards it keeps are asked
 * for again.
 */
export async function changeTerminal(ctx: Ctx, given: TerminalChange) {
  const row = await terminalRow(ctx, given.id)
  const gateway = gatewayNamed(row.gateway)
  const before = settingsOf(ctx.app, row)
  const settings =
    given.settings && !gateway.isTest ? checkedSettings(gateway, given.settings, before) : before
  const changed = gateway.settings
    .filter(({ name }) => (settings[name] ?? '') !== (before[name] ?? ''))
    .map(({ name }) => name)
  const isMoved = gateway.settings.some(
    ({ name, kind, optional }) => kind === 'text' && !optional && changed.includes(name),
  )
  const currencies = given.currencies ?? row.currencies
  if (currencies.length === 0) throw failField('currencies', 'fields.need')
  if (currencies.some((one) => !gateway.currencies.includes(one)))
    throw failField('currencies', 'fields.choice')
  const from = given.fromAgorot === undefined ? row.from_agorot : given.fromAgorot
  const to = given.toAgorot === undefined ? row.to_agorot : given.toAgorot
  if (from !== null && to !== null && to <= from) throw failField('toAgorot', 'acquirers.overlap')
  await checkRef(ctx, 'feeAccountId', 'accounts', given.feeAccountId ?? undefined)
  if (
    given.feeAccountId &&
    given.feeAccountId !== row.fee_account_id &&
    !(await typeOfAccount(ctx, given.feeAccountId))
  )
    throw failField('feeAccountId', 'acquirers.noKind')
  const steps = (given.instalments ?? row.instalments).toSorted((a, b) => a.fromAgorot - b.fromAgorot)
  if (new Set(steps.map(({ fromAgorot }) => fromAgorot)).size !== steps.length)
    throw failField('instalments', 'acquirers.overlap')
  // Switched on again it goes on where it was; keys that were changed meanwhile are proved first.
  const isTried = isSandbox(settings) && !(await mayTest(ctx))
  const on =
    changed.length || row.proved_at === null || isTried ? 'draft' : row.state === 'off' ? 'proved' : row.state
  const state = given.isOff === true || (given.isOff === undefined && row.state === 'off') ? 'off' : on
  await sql`update terminals set name = ${(given.name ?? row.name).trim()},
      settings_sealed = ${sealed(ctx, settings)}, currencies = ${currencies},
      from_agorot = ${from}, to_agorot = ${to}, instalments = ${JSON.stringify(steps)},
      fee_account_id = ${given.feeAccountId === undefined ? row.fee_account_id : given.feeAccountId},
      state = ${state},
      proved_at = ${changed.length ? null : row.proved_at}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${given.id}`.execute(ctx.tx)
  if (isMoved) {
    const { rows: lost } = await sql<{ id: string }>`update cards set state = 'askAgain', updated_at = now()
      where company_id = ${ctx.companyId} and terminal_id = ${given.id} and state = 'active'
      returning id`.execute(ctx.tx)
    for (const { id } of lost) await usersOf().lost(ctx, id)
  }
  // Of keys the log knows their names alone.
  await ctx.audit(
    'terminals.change',
    'terminals',
    given.id,
    {
      name: row.name,
      state: row.state,
      currencies: row.currencies,
      fromAgorot: row.from_agorot,
      toAgorot: row.to_agorot,
      instalments: row.instalments,
    },
    {
      name: given.name ?? row.name,
      state,
      currencies,
      fromAgorot: from,
      toAgorot: to,
      instalments: steps,
      ...(changed.length ? { keys: changed } : {}),
    },
  )
  return showTerminal(ctx, given.id)
}

/** One place up or down in the order in which terminals are tried. */
export async function moveTerminal(ctx: Ctx, { id, by }: { id: string; by: 'up' | 'down' }) {
  const rows = (await allTerminals(ctx)).filter((row) => row.gateway !== 'test')
  const at = rows.findIndex((row) => row.id === id)
  if (at < 0) throw fail('kit.notFound')
  const other = by === 'up' ? at - 1 : at + 1
  if (rows[other]) [rows[at], rows[other]] = [rows[other], rows[at]!]
  for (const [i, row] of rows.entries())
    await sql`update terminals set position = ${i + 1} where company_id = ${ctx.companyId} and id = ${row.id}
        and position <> ${i + 1}`.execute(ctx.tx)
  await ctx.audit('terminals.move', 'terminals', id, undefined, { by })
  return listTerminals(ctx)
}

/** Takes a terminal away that nothing was ever asked of; another one is only switched off. */
export async function dropTerminal(ctx: Ctx, { id }: { id: string }) {
  const row = await terminalRow(ctx, id)
  const { rows } = await sql`select 1 from charges where company_id = ${ctx.companyId} and terminal_id = ${id}
    union all select 1 from cards where company_id = ${ctx.companyId} and terminal_id = ${id}
    limit 1`.execute(ctx.tx)
  if (rows.length) throw fail('acquirers.used')
  await sql`delete from terminals where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('terminals.drop', 'terminals', id, { gateway: row.gateway, name: row.name })
  return listTerminals(ctx)
}
