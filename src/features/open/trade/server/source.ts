import { statusFacts } from '#domain/documents/facts.ts'
import { Failure } from '#kit/describe/errors.ts'
import { typeById } from '#features/sales/documents/types/index.ts'
import type { Desk } from './desk.ts'
import { given } from './registers.ts'

/** What is read of the paper another one is made from. */
interface Source {
  id: string
  status: string
  currency: string
  customerId: string | null
  lines: {
    line: number
    sku: string | null
    description: string
    leftFor: { type: number; quantity: string }[]
  }[]
  totals: { openInCurrencyAgorot: number; askedAgorot: number }
}

interface Made {
  type?: number
  currency?: string
  sourceId?: string
  lines?: Record<string, unknown>[]
  payments?: { amountAgorot: number }[]
}

/**
 * A paper that is made from another one takes of it what it says: money closes what is owed or asked for,
 * lines take the lines they are the same as, and what was taken in full is open no longer. Where the two are
 * of different people or currencies, the one only names the other.
 */
export async function fromSource(
  desk: Desk,
  content: Record<string, unknown>,
  customerId: string | undefined,
): Promise<Record<string, unknown>> {
  const { type, currency, sourceId, lines = [], payments = [] } = content as Made
  const to = type === undefined ? undefined : typeById(type)
  // A credit knows what it reverses.
  if (!sourceId || !to || to.name === 'creditInvoice') return content
  const source = await desk
    .ask<Source>('GET', `/api4/invoice/documents/${encodeURIComponent(sourceId)}`)
    .catch((e: unknown) => {
      // What the key may not look at it may still name; what there is not, the contract refuses.
      if (e instanceof Failure && e.status < 500 && !e.retryAfter) return undefined
      throw e
    })
  if (!source || !statusFacts(source.status).isLive) return content
  const whose = customerId ?? source.customerId ?? undefined
  if (whose !== (source.customerId ?? undefined) || (currency !== undefined && currency !== source.currency))
    return content
  const owned = given({ ...content, currency: source.currency, customerId: whose })
  if (to.parts.includes('closes')) {
    const { askedAgorot, openInCurrencyAgorot } = source.totals
    const paid = payments.reduce((sum, one) => sum + one.amountAgorot, 0)
    const amountAgorot = Math.min(askedAgorot || openInCurrencyAgorot, paid)
    return amountAgorot > 0 ? { ...owned, closes: [{ documentId: source.id, amountAgorot }] } : owned
  }
  const left = source.lines.flatMap(({ line, sku, description, leftFor }) => {
    const quantity = Number(leftFor.find((one) => one.type === type)?.quantity ?? 0)
    return quantity > 0 ? [{ line, sku, description, quantity }] : []
  })
  return { ...owned, lines: lines.map((one) => takenFrom(source.id, left, one)) }
}

interface Left {
  line: number
  sku: string | null
  description: string
  quantity: number
}

/** The line of the source this one is the same as, which has so much left, is taken; one is taken once. */
function takenFrom(documentId: string, left: Left[], line: Record<string, unknown>): Record<string, unknown> {
  const quantity = Number(line.quantity ?? 1)
  const at = left.findIndex(
    (one) =>
      (line.sku ? one.sku === line.sku : one.description === line.description) && one.quantity >= quantity,
  )
  if (at < 0 || !(quantity > 0)) return line
  const [{ line: number }] = left.splice(at, 1) as [Left]
  return { ...line, source: { documentId, line: number } }
}
