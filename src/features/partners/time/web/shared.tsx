import { momentInJerusalem } from '#domain/day.ts'
import { clockText } from '#domain/hours/hours.ts'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'

/** The time that a wall clock in Jerusalem shows. */
export const timeOf = (moment: string): string => momentInJerusalem(new Date(moment)).time

const order = ['100', '125', '150', '175', '200']

/** Hours by what they are paid. */
export function Rates({
  minutes,
  byRate,
  wage,
}: {
  minutes: number
  byRate: Record<string, number>
  wage?: number | null | undefined
}) {
  const t = useWords()
  return (
    <Figures label={t('time.sums')}>
      <Figure label={t('time.all')} value={<Num>{clockText(minutes)}</Num>} size="s" />
      {order
        .filter((rate) => byRate[rate])
        .map((rate) => (
          <Figure
            key={rate}
            size="s"
            label={rate === '100' ? t('time.ordinary') : t('time.rate', { rate })}
            value={<Num>{clockText(byRate[rate]!)}</Num>}
          />
        ))}
      {wage !== null && wage !== undefined && <Figure size="s" label={t('time.wage')} amount={wage} exact />}
    </Figures>
  )
}
