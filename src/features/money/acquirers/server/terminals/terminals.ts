import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { takeOut } from '#kit/server/vault.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { GatewayName, TerminalState } from '../../acquirers.ts'
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
  means: string[]
  brands: string[]
  from_agorot: number
  to_agorot: number | null
  position: number
  instalments: { fromAgorot: number; most: number }[]
  fee_account_id: string | null
  proved_at: string | null
  proved: string[]
  answered_at: string | null
  failed_at: string | null
  last_error: string
}

/** A terminal with its client, ready to be asked. */
export interface Terminal {
  row: TerminalRow
  gateway: Gateway
  acquirer: Acquirer
  isTest: boolean
  /** Where its notices come to. */
  noticeTo: string
}

export const settingsOf = (app: App, row: Pick<TerminalRow, 'settings_sealed'>): Settings =>
  JSON.parse(takeOut(app.secrets.vault, row.settings_sealed).toString() || '{}') as Settings

/** A terminal is plugged in with settings that may not be kept yet. */
export function plugged(app: App, companyId: string, row: TerminalRow, settings: Settings = settingsOf(app, row)): Terminal {
  const gateway = gatewayNamed(row.gateway)
  const { acquirersAt } = app.settings
  const home = acquirersAt ? `${acquirersAt}/${gateway.name}` : gateway.home(settings)
  return {
    row,
    gateway,
    acquirer: gateway.connect({ settings, wire: terminalWire(app, companyId, row.id, home), app, companyId }),
    isTest: gateway.isTest ?? false,
    noticeTo: `${app.publicUrl()}/api2/invoice/acquirer/${row.notice_key}/notice`,
  }
}

/** The test acquirer issues receipts for money that never came: on a server that serves people it is for demo businesses only. */
export const mayTest = async (ctx: Ctx): Promise<boolean> => ctx.app.settings.testAcquirer || (await companyOf(ctx)).demo

export const allTerminals = async (ctx: Ctx): Promise<TerminalRow[]> =>
  (await sql<TerminalRow>`select * from terminals where company_id = ${ctx.companyId} order by position, created_at, id`.execute(ctx.tx)).rows

export async function terminalRow(ctx: Ctx, id: string, lock = false): Promise<TerminalRow> {
  const { rows } = await sql<TerminalRow>`select * from terminals where company_id = ${ctx.companyId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** A terminal by its id, also when it takes no new charges: for what was begun before. */
export const terminalById = async (ctx: Ctx, id: string): Promise<Terminal> => plugged(ctx.app, ctx.companyId, await terminalRow(ctx, id))

interface Wanted {
  /** Any sum, where it is not known yet. */
  agorot?: number
  currency?: string
  does?: (acquirer: Acquirer) => unknown
}

/** The first terminal that takes such a charge; undefined when none does. */
export async function terminalFor(ctx: Ctx, { agorot, currency = 'ILS', does = (a) => a.page }: Wanted = {}): Promise<Terminal | undefined> {
  const may = await mayTest(ctx)
  for (const row of await allTerminals(ctx)) {
    const takes =
      row.state === 'proved' &&
      row.currencies.includes(currency) &&
      row.means.includes('card') &&
      (agorot === undefined || (agorot >= row.from_agorot && (row.to_agorot === null || agorot < row.to_agorot)))
    if (!takes || (row.gateway === 'test' && !may)) continue
    const terminal = plugged(ctx.app, ctx.companyId, row)
    if (does(terminal.acquirer)) return terminal
  }
  return undefined
}

/** How many instalments a terminal gives for a sum. */
export const mostInstalmentsOf = ({ row, gateway }: Terminal, agorot: number): number =>
  gateway.instalments.length === 0
    ? 1
    : Math.max(1, ...row.instalments.filter(({ fromAgorot }) => fromAgorot <= agorot).map(({ most }) => most))

/** The most it gives of any sum, for who chooses before a sum is known. */
export const mostOfAny = (terminal: Terminal): number => mostInstalmentsOf(terminal, Number.MAX_SAFE_INTEGER)
