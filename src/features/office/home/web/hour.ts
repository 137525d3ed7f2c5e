/** Which greeting an hour of the day takes. */
export const greetingAt = (hour: number): 'morning' | 'noon' | 'evening' | 'night' =>
  hour >= 5 && hour < 12
    ? 'morning'
    : hour >= 12 && hour < 17
      ? 'noon'
      : hour >= 17 && hour < 22
        ? 'evening'
        : 'night'

/**
 * In whole per cent against before; undefined where there is nothing to compare with, or so little that per
 * cents say nothing.
 */
export const changeOf = (now: number, before: number): number | undefined => {
  const percent = before > 0 ? Math.round(((now - before) / before) * 100) : undefined
  return percent !== undefined && Math.abs(percent) < 1000 ? percent : undefined
}
