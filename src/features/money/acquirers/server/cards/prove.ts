import { fail } from '#kit/describe/errors.ts'
import type { App } from '#kit/server/context.ts'
import { hear } from '../charges/hear.ts'
import type { SavedCard } from '../door.ts'
import type { Terminal } from '../terminals/terminals.ts'

/** Whether a card can be charged by its token, as its acquirer says without moving money; true where it cannot say. Throws `paymentLinks.acquirerAway`. */
export async function proveCard(app: App, companyId: string, terminal: Terminal, card: SavedCard, key: string): Promise<boolean> {
  const check = terminal.acquirer.cards?.check
  if (!check) return true
  const heard = await hear(app, companyId, terminal, async () => ({
    is: 'heard' as const,
    isGood: await check(card, { text: key, number: Math.floor(Math.random() * 2_000_000_000) + 1 }),
  }))
  if (heard.is === 'silence') throw fail('paymentLinks.acquirerAway')
  return heard.isGood
}
