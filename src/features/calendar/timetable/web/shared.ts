import { queryClient } from '#kit/web/calls/call.ts'
import type { Words } from '#kit/web/words/words.tsx'
import type { CallFailure } from '#kit/web/calls/call.ts'
import type { ClassConflict, ClassView } from '../endpoints.ts'

/** After a change of classes or of who is booked: whatever shows them asks again. */
export const refreshClasses = (): Promise<unknown> =>
  Promise.all(
    [
      'classes.list',
      'classes.get',
      'bookings.ofClass',
      'bookings.day',
      'entry.list',
      'trainerArea.day',
      'trainerArea.classes',
      'passes.list',
      'passes.get',
      'classGroups.people',
      'classSwaps.list',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )

export const classPath = (id: string): string => `/invoice/calanderclass?class=${id}`

/** How full a class is and by whom it is given, in a line. */
export function lineOf(t: Words, row: ClassView): string {
  const full = row.isAppointment
    ? ''
    : row.taken >= row.seats
      ? t('timetable.full', { seats: row.seats }) +
        (row.waiting ? ` · ${t('timetable.waiting', { count: row.waiting })}` : '')
      : `${row.taken}/${row.seats}`
  return [full, row.isAppointment && row.who ? row.kindName : '', row.trainerName, row.placeName]
    .filter(Boolean)
    .join(' · ')
}

/** What a refusal for a collision carries. */
export const conflictsIn = (failure: CallFailure): ClassConflict[] => {
  try {
    return JSON.parse(String(failure.params.conflicts)) as ClassConflict[]
  } catch {
    return []
  }
}
