import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import type { Ability } from '../../acquirers.ts'
import { AcquirerAway, KeysRefused } from '../door.ts'
import { isReached } from './reached.ts'
import { mayTest, terminalById, type Terminal } from './terminals.ts'

/** Whether something was proved, and the acquirer's own code and words where it was not. */
export interface Proof {
  ability: Ability
  isGood: boolean
  /** refused: it does not take our keys or what we asked. away: nothing was heard. */
  why: '' | 'refused' | 'away' | 'notReached'
  code: string
  words: string
}

const tried = async (ability: Ability, work: () => Promise<unknown>): Promise<Proof> => {
  try {
    await work()
    return { ability, isGood: true, why: '', code: '', words: '' }
  } catch (e) {
    if (e instanceof KeysRefused)
      return { ability, isGood: false, why: 'refused', code: e.code, words: e.message.slice(0, 200) }
    if (e instanceof AcquirerAway)
      return { ability, isGood: false, why: 'away', code: e.message.slice(0, 40), words: '' }
    throw e
  }
}

/**
 * Proves a terminal by what moves nothing: a form of one shekel is opened, asked about and closed, and where
 * it can, the list of today is read. A terminal whose form opens is proved; what else did not go is said.
 * Keys of the acquirer's own test system prove as well and stay a draft, because receipts would be issued for
 * what is no money; only where the test acquirer is allowed, they are used.
 */
export async function proveTerminal(app: App, companyId: string, id: string): Promise<Proof[]> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const terminal: Terminal = await inside((ctx) => terminalById(ctx, id))
  // It would prove well, and nothing of what is paid by it would ever come back.
  if (!isReached(app, terminal.gateway))
    return [{ ability: 'page', isGood: false, why: 'notReached', code: '', words: '' }]
  const { page, day } = terminal.acquirer
  const now = app.now()
  const proofs: Proof[] = []
  if (page)
    proofs.push(
      await tried('page', async () => {
        const { reference } = await page.open({
          key: { text: `test-${newToken().slice(0, 20)}`, number: (now.getTime() % 2_000_000_000) + 1 },
          deed: 'charge',
          keepsCard: false,
          agorot: 100,
          currency: terminal.row.currencies[0] ?? 'ILS',
          description: 'Pinkas',
          mostInstalments: 1,
          language: 'he',
          payer: {},
          lapsesAt: new Date(now.getTime() + 600_000),
          returnTo: app.publicUrl(),
          noticeTo: terminal.noticeTo,
        })
        await page.ask(reference)
        await page.close?.(reference)
      }),
    )
  if (day && proofs.every(({ isGood }) => isGood))
    proofs.push(await tried('list', () => day(dayInJerusalem(now))))
  const [first] = proofs
  await inside(async (ctx) => {
    const good = terminal.isTest && !(await mayTest(ctx)) ? 'draft' : 'proved'
    // A terminal that is off stays so, proved or not.
    await (
      first?.isGood
        ? sql`update terminals set proved_at = ${now}, answered_at = ${now}, last_error = '', state = case
            when state = 'off' then 'off' else ${good} end,
            updated_at = now() where company_id = ${companyId} and id = ${id}`
        : sql`update terminals
          set failed_at = ${now},
            last_error = ${`${first?.code ?? ''} ${first?.words ?? ''}`.trim().slice(0, 200)},
            state = case when state = 'proved' then 'failing' else state end, updated_at = now()
            where company_id = ${companyId} and id = ${id}`
    ).execute(ctx.tx)
    await ctx.audit('terminals.prove', 'terminals', id, undefined, {
      isGood: first?.isGood ?? false,
      code: first?.code ?? '',
    })
  })
  return proofs
}
