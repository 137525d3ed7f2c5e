import { useSyncExternalStore } from 'react'
import { dayInJerusalem, type Day } from '#domain/day.ts'

/*
 * The clock that screens read while they render. It moves in whole minutes, so that everything drawn together
 * agrees on the time, and what depends on the day or the minute is drawn again when that changes.
 */

const minuteMs = 60_000

const readers = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

function wait(): void {
  timer = setTimeout(
    () => {
      wait()
      for (const read of readers) read()
    },
    minuteMs - (Date.now() % minuteMs),
  )
}

function subscribe(read: () => void): () => void {
  readers.add(read)
  if (timer === undefined) wait()
  return () => {
    readers.delete(read)
    if (readers.size > 0) return
    clearTimeout(timer)
    timer = undefined
  }
}

const minuteNow = (): number => Math.floor(Date.now() / minuteMs)

// The day is asked for by every row of a list, and working it out takes a formatter.
let known: { minute: number; day: Day } | undefined

function dayNow(): Day {
  const minute = minuteNow()
  if (known?.minute !== minute) known = { minute, day: dayInJerusalem(new Date(minute * minuteMs)) }
  return known.day
}

/** Today in Jerusalem. */
export const useToday = (): Day => useSyncExternalStore(subscribe, dayNow)

/** The beginning of the current minute. */
export const useNow = (): Date => new Date(useSyncExternalStore(subscribe, minuteNow) * minuteMs)
