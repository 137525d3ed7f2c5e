import type { Day } from '#domain/day.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { ratesOn } from '#features/registers/rates/server/index.ts'
import { millionths } from '../../workOut.ts'
import { plainDecimal, type StoredDocument } from './load.ts'
import type { Exchange } from './shapes.ts'

/**
 * The rate a document goes by. What is said wins; said or not, a rate that is the published one of its day is
 * known for that: the last one up to the document's day, so that Sunday's paper names Friday. `kept` is that
 * of the paper it corrects, if the same rate is said.
 */
export async function exchangeOf(
  ctx: Ctx,
  {
    currency,
    day,
    rate,
    kept,
  }: { currency: string; day: Day; rate: string | null | undefined; kept?: Exchange | undefined },
): Promise<Exchange> {
  if (currency === 'ILS') return { rate: '1', source: null, day: null }
  if (rate && millionths(rate) <= 0)
    throw new Failure('kit.badInput', {}, [{ path: 'rate', code: 'fields.range' }])
  if (kept && (!rate || millionths(rate) === millionths(kept.rate))) return kept
  const [published] = await ratesOn(ctx, day, currency)
  if (published && (!rate || millionths(rate) === millionths(published.rate)))
    return {
      rate: published.rate,
      source: published.source === 'common' ? 'bank' : 'own',
      day: published.day,
    }
  if (!rate) throw new Failure('kit.badInput', {}, [{ path: 'rate', code: 'documents.noRate' }])
  return { rate, source: 'typed', day: null }
}

/** The rate of an issued paper, for what corrects it. */
export const exchangeKept = (
  d: Pick<StoredDocument, 'currency' | 'rate' | 'rate_source' | 'rate_day'>,
): { exchange?: Exchange } =>
  d.currency === 'ILS'
    ? {}
    : { exchange: { rate: plainDecimal(d.rate), source: d.rate_source, day: d.rate_day } }

/**
 * What a new paper made from this one says of its rate: nothing where one is published today, which then
 * holds; else the one this paper has.
 */
export async function rateAnew(ctx: Ctx, d: StoredDocument): Promise<string | undefined> {
  if (d.currency === 'ILS') return undefined
  return (await ratesOn(ctx, ctx.today, d.currency)).length ? undefined : plainDecimal(d.rate)
}
