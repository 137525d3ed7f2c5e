import { CalendarClock } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { enteredLaw, listenToLaw } from '#domain/law/dated.ts'
import { dueOfPeriod, type PeriodDuty } from '#domain/law/dues.ts'
import { unknownOn, type LawKey } from '#domain/law/figures.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { useWords } from '#kit/web/words/words.tsx'

/**
 * Says where a screen works with a figure of the law that was not confirmed for a day: the last one known is used, or
 * none. Nothing while all of them are known.
 */
export function LawNote({ keys, day }: { keys: readonly LawKey[]; day: Day }) {
  const t = useWords()
  useSyncExternalStore(listenToLaw, enteredLaw, enteredLaw)
  return unknownOn(keys, day).map(({ key, after }) => (
    <Note key={key} tone="wait">
      {t('law.unknown', { figure: t(`law.figure.${key}`), day: formatDay(after) })}
    </Note>
  ))
}

/** By when a period is reported and paid, and whether that day was published or only follows from the rule. */
export function DueNote({ duty, to }: { duty: PeriodDuty; to: Day }) {
  const t = useWords()
  useSyncExternalStore(listenToLaw, enteredLaw, enteredLaw)
  const { day, basis } = dueOfPeriod(duty, to)
  return (
    <Note tone={basis === 'rule' ? 'wait' : 'info'} icon={CalendarClock}>
      {t(basis === 'rule' ? 'law.dueByRule' : 'law.dueBy', { day: formatDay(day) })}
    </Note>
  )
}
