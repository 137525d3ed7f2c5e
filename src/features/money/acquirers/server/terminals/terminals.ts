import { sql, type RawBuilder } from 'kysely'
import type { App, Ctx } from '#kit/server/context.ts'
import { fail } from '#kit/describe/errors.ts'
import { decrypt } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  holdingGateways,
  takesWallet,
  wallets,
  type GatewayName,
  type TerminalState,
  type Wallet,
} from '../../acquirers.ts'
import type { Acquirer } from '../door.ts'
import type { Gateway, Settings } from '../gateway.ts'
import { gatewayNamed } from '../gateways/index.ts'
import { terminalWire } from '../wire.ts'

export interface TerminalRow {
  id: string
  gateway: GatewayName
  name: string
  state: TerminalState
  settings_sealed: Buffer
  notice_key: string
  currencies: string[]
  from_agorot: number | null
  to_agorot: number | null
  position: number
  instalments: { fromAgorot: number; most: number }[]
  fee_account_id: string | null
  proved_at: string | null
  answered_at: string | null
  failed_at: string | null
  last_error: string
}

/** A terminal with its client, ready to be asked. */
export interface Terminal {
  row: TerminalRow
  gateway: Gateway
  acquirer: Acquirer
  /** Nothing that is paid by it is money. */
  isTest: boolean
  /** Where its notices come to. */
  noticeTo: string
}

export function settingsOf(app: App, row: Pick<TerminalRow, 'settings_sealed'>): Settings {
  const text = decrypt(app.secrets.vault, row.settings_sealed).toString()
  // Before terminals had settings, the secret of the test acquirer was sealed alone.
  return text.startsWith('{') ? (JSON.parse(text) as Settings) : { secret: text }
}

/** The keys are of the acquirer's own system for trying out. */
export const isSandbox = (settings: Settings): boolean => settings.isTest === '1'

/** A terminal is plugged in, with its client. */
export function plugged(app: App, companyId: string, row: TerminalRow): Terminal {
  const gateway = gatewayNamed(row.gateway)
  const settings = settingsOf(app, row)
  const { acquirersAt } = app.settings
  const home = acquirersAt ? `${acquirersAt}/${gateway.name}` : gateway.home(settings)
  return {
    row,
    gateway,
    acquirer: gateway.connect({ settings, wire: terminalWire(app, companyId, row.id, home), app, companyId }),
    isTest: gateway.isTest === true || isSandbox(settings),
    noticeTo: `${app.publicUrl()}/api2/invoice/acquirer/${row.notice_key}/notice`,
  }
}

/**
 * The test acquirer issues receipts for money that never came: on a server that serves people it is for demo
 * businesses only.
 */
export const mayTest = async (ctx: Ctx): Promise<boolean> =>
  ctx.app.settings.testAcquirer || (await companyOf(ctx)).demo

/** In the order they are tried; the test acquirer only where no other takes a charge. */
export const allTerminals = async (ctx: Ctx): Promise<TerminalRow[]> =>
  (
    await sql<TerminalRow>`/*=*/ select * from terminals where company_id = ${ctx.companyId}
      order by gateway = 'test', position, created_at, id`.execute(ctx.tx)
  ).rows

export async function terminalRow(ctx: Ctx, id: string): Promise<TerminalRow> {
  const { rows } = await sql<TerminalRow>`select * from terminals where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** A terminal by its id, also when it takes no new charges: for what was begun before. */
export const terminalById = async (ctx: Ctx, id: string): Promise<Terminal> =>
  plugged(ctx.app, ctx.companyId, await terminalRow(ctx, id))

export const testRow = async (ctx: Ctx): Promise<TerminalRow | undefined> =>
  (
    await sql<TerminalRow>`select * from terminals where company_id = ${ctx.companyId}
        and gateway = 'test'`.execute(ctx.tx)
  ).rows[0]

/** Whether a terminal takes such a sum in such money. */
export const takesSum = (row: TerminalRow, agorot: number, currency: string): boolean =>
  row.currencies.includes(currency) &&
  agorot >= (row.from_agorot ?? 0) &&
  agorot < (row.to_agorot ?? Number.MAX_SAFE_INTEGER)

/** What else a terminal has to be able to do. */
export interface Needs {
  deed?: 'charge' | 'hold' | 'card'
  keepsCard?: boolean
  wallet?: Wallet | undefined
}

/**
 * The first terminal whose form takes such a sum, or any sum where it is not known yet; undefined when none
 * does.
 */
export async function terminalFor(
  ctx: Ctx,
  agorot?: number,
  currency = 'ILS',
  needs: Needs = {},
): Promise<Terminal | undefined> {
  const takes = (row: TerminalRow): boolean =>
    row.state === 'proved' &&
    (agorot === undefined ? row.currencies.includes(currency) : takesSum(row, agorot, currency))
  for (const row of (await allTerminals(ctx)).filter(takes)) {
    // The test acquirer comes last, so that most businesses are never asked whether they may use it.
    if (row.gateway === 'test' && !(await mayTest(ctx))) continue
    const terminal = plugged(ctx.app, ctx.companyId, row)
    const { page, cards, holds } = terminal.acquirer
    if (needs.wallet && !page?.wallets?.includes(needs.wallet)) continue
    const keeps = needs.deed === 'card' ? cards && !cards.byPaymentOnly : !needs.keepsCard || cards
    if (page && (needs.deed !== 'hold' || holds) && keeps) return terminal
  }
  return undefined
}

/**
 * Whether there are terminals that charge kept cards, and none of them takes such money: a card that will be
 * given cannot be charged in it either.
 */
export async function lacksCurrency(ctx: Ctx, currency: string): Promise<boolean> {
  const keeping: Terminal[] = []
  for (const row of await allTerminals(ctx)) {
    if (row.state !== 'proved' || (row.gateway === 'test' && !(await mayTest(ctx)))) continue
    const terminal = plugged(ctx.app, ctx.companyId, row)
    if (terminal.acquirer.page && terminal.acquirer.cards) keeping.push(terminal)
  }
  return keeping.length > 0 && !keeping.some(({ row }) => row.currencies.includes(currency))
}

/**
 * The terminal whose form keeps a card alone. Refuses with the code of the person who asks; by name where one keeps
 * cards, but only along with a payment.
 */
export async function needKeeping(ctx: Ctx, refusal: string): Promise<Terminal> {
  const terminal = await terminalFor(ctx, undefined, 'ILS', { deed: 'card' })
  if (terminal) return terminal
  const other = await terminalFor(ctx, undefined, 'ILS', { keepsCard: true })
  throw other
    ? fail('acquirers.byPaymentOnly', {
        name: say(ctx.caller.language, `cardCharges.acquirer.${other.gateway.name}`),
      })
    : fail(refusal)
}

/**
 * The acquirer that `terminalFor` would find for a form in shekels, inside a list whose table is `t`; of a
 * hold, where it can be held.
 */
export const gatewayHere = (
  isHold: RawBuilder<unknown>,
) => sql<GatewayName | null>`(select x.gateway from terminals x
  where x.company_id = t.company_id and x.state = 'proved' and 'ILS' = any(x.currencies)
    and (not ${isHold} or x.gateway = any(${[...holdingGateways]}::text[]))
  order by x.gateway = 'test', x.position, x.created_at, x.id limit 1)`

/**
 * The means beside the card that a form for money can be opened for, at whichever terminal; of a sum, where
 * it is known.
 */
export async function walletsOf(ctx: Ctx, agorot?: number): Promise<Wallet[]> {
  const main = await terminalFor(ctx, agorot)
  const found: Wallet[] = []
  for (const wallet of wallets) {
    if (agorot !== undefined && !takesWallet(wallet, agorot)) continue
    const terminal = await terminalFor(ctx, agorot, 'ILS', { wallet })
    // Where all forms are for one payment method anyway, it needs no separate button.
    if (terminal && !(terminal.gateway.name === 'paypal' && terminal.row.id === main?.row.id))
      found.push(wallet)
  }
  return found
}

/** How many instalments a terminal gives for a sum; without one, the most it gives of any. */
export const mostInstalmentsOf = ({ row, gateway }: Terminal, agorot = Number.MAX_SAFE_INTEGER): number =>
  !gateway.instalments
    ? 1
    : Math.max(1, ...row.instalments.filter(({ fromAgorot }) => fromAgorot <= agorot).map(({ most }) => most))
