import { formatDay } from '#domain/format.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'

/** One side of a match: day, words, reference and sum. */
export function Row({
  day,
  text,
  reference,
  amount,
  currency,
}: {
  day: string
  text: string
  reference: string
  amount: number
  currency: string
}) {
  return (
    <div className="ma-row">
      <Num className="hint">{formatDay(day)}</Num>
      <span className="grow">
        <TextCell value={text} />
        {reference && <Num className="hint">{reference}</Num>}
      </span>
      <Money amount={amount} currency={currency} />
    </div>
  )
}
