import { formatPercent } from '#domain/format.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { PlanAnswer } from '../endpoints.ts'

/** What is paid, in words: a line for each step, then for how long and when. */
export function PlanLines({ plan }: { plan: PlanAnswer }) {
  const t = useWords()
  const last = plan.steps.length - 1
  return (
    <ul className="af-plan">
      {plan.steps.map(({ from, rateBp }, at) => (
        <li key={from}>
          <Num>{formatPercent(rateBp)}</Num>{' '}
          {plan.steps.length === 1
            ? t('affiliates.plan.all')
            : at === last
              ? t('affiliates.plan.from', { from })
              : t('affiliates.plan.range', { from, to: plan.steps[at + 1]!.from - 1 })}
        </li>
      ))}
      <li>
        {plan.months === 0
          ? t('affiliates.plan.forever')
          : t('affiliates.plan.months', { count: plan.months })}
      </li>
      <li>{t('affiliates.plan.hold', { count: plan.holdDays })}</li>
    </ul>
  )
}
