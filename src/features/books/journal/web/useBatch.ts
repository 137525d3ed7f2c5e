import { useEffect, useRef, useState } from 'react'
import {
  call,
  failureText,
  isNetworkError,
  keyOf,
  queryClient,
  putAnswer,
  changeAnswer,
} from '#kit/web/calls/call.ts'
import { go } from '#kit/web/routes/place.ts'
import { unsaved as browser } from '#kit/web/screens/unsaved.ts'
import { session } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { createBatch, getBatch, keepLines, listBatches, type BatchAnswer } from '../endpoints.ts'
import { draftOf, inputOf, withLines, type Draft } from './model.ts'

/** What the server has not said yes to yet, and the line that is being typed. */
interface Kept {
  put: Draft[]
  drop: string[]
  typing?: Draft
}

const nameOf = (batchId: string | undefined) => `journal:${session()?.CompanyKey ?? ''}:${batchId ?? 'new'}`

/** How many lines go at once. */
const atOnce = 500
const tryAgainMs = 5000

/**
 * Puts what is known by now into the batch as it was answered. Its lines do not come again for each that was
 * kept; the person who opens it again asks.
 */
function tell(id: string, change: (before: BatchAnswer) => BatchAnswer): void {
  changeAnswer(getBatch, { id }, change, { again: false })
  void queryClient.invalidateQueries({ queryKey: keyOf(getBatch, { id }), refetchType: 'none' })
}

/**
 * The lines of a batch as this browser has them: shown at once, kept by the server one after another. A line
 * that could not be kept is said, stays on the screen and in the browser, and goes again when there is a
 * network, or with the next.
 */
export function useBatch(batch: BatchAnswer | undefined) {
  const t = useWords()
  const [found] = useState(() => browser.take<Kept>(nameOf(batch?.id)))
  const [lines, setLines] = useState<Draft[]>(() => {
    const rows = new Map((batch?.rows ?? []).map((row) => [row.id, draftOf(row)]))
    for (const line of found?.put ?? []) rows.set(line.id, line)
    for (const one of found?.drop ?? []) rows.delete(one)
    return [...rows.values()]
  })
  const [waiting, setWaiting] = useState(0)
  // What an earlier page could not send is not with the server yet, whatever became of the network since.
  const [pending, setPending] = useState((found?.put.length ?? 0) + (found?.drop.length ?? 0))
  const id = useRef(batch?.id)
  const unsaved = useRef(new Map((found?.put ?? []).map((line) => [line.id, line])))
  const gone = useRef(new Set(found?.drop))
  const typing = useRef(found?.typing)
  const queue = useRef(Promise.resolve())
  const again = useRef<ReturnType<typeof setTimeout>>(undefined)

  const keep = () => {
    const [put, drop] = [[...unsaved.current.values()], [...gone.current]]
    setPending(put.length + drop.length)
    const isNothing = put.length === 0 && drop.length === 0 && !typing.current
    browser.keep(
      nameOf(id.current),
      isNothing ? undefined : { put, drop, ...(typing.current ? { typing: typing.current } : {}) },
    )
  }

  const flush = async (quiet: boolean) => {
    clearTimeout(again.current)
    const [put, drop] = [[...unsaved.current.values()].slice(0, atOnce), [...gone.current].slice(0, atOnce)]
    if (put.length === 0 && drop.length === 0) return
    try {
      if (id.current === undefined) {
        const made = await call(createBatch, { lines: put.map(inputOf) }, { quiet })
        browser.keep(nameOf(undefined), undefined)
        id.current = made.id
        putAnswer(getBatch, { id: made.id }, made)
        // The person who went elsewhere meanwhile stays there.
        if (location.pathname === '/invoice/moveaccounting')
          go(`/invoice/moveaccounting?batch=${made.id}`, { replace: true })
      } else {
        const { faults, state } = await call(
          keepLines,
          { id: id.current, put: put.map(inputOf), drop },
          { quiet },
        )
        tell(id.current, (before) => ({
          ...before,
          state,
          faults,
          rows: withLines(before.rows, put, drop),
        }))
      }
      // What was typed again in the meantime goes with the next.
      for (const line of put) if (unsaved.current.get(line.id) === line) unsaved.current.delete(line.id)
      for (const one of drop) gone.current.delete(one)
      keep()
      void queryClient.invalidateQueries({ queryKey: keyOf(listBatches) })
      if (unsaved.current.size > atOnce) await flush(quiet)
    } catch (e) {
      if (isNetworkError(e)) again.current = setTimeout(() => void send(true), tryAgainMs)
      if (!quiet) banner.error(failureText(t, e))
    }
  }
  const send = (quiet = false) => {
    setWaiting((n) => n + 1)
    queue.current = queue.current.then(() => flush(quiet)).finally(() => setWaiting((n) => n - 1))
    return queue.current
  }

  const sendNow = useRef(send)
  useEffect(() => {
    sendNow.current = send
  })
  useEffect(() => {
    // Somebody who leaves while a line is on its way is asked to wait.
    const hold = (event: BeforeUnloadEvent) => {
      if (unsaved.current.size > 0) event.preventDefault()
    }
    const online = () => {
      if (unsaved.current.size > 0 || gone.current.size > 0) void sendNow.current(true)
    }
    online()
    addEventListener('beforeunload', hold)
    addEventListener('online', online)
    return () => {
      clearTimeout(again.current)
      removeEventListener('beforeunload', hold)
      removeEventListener('online', online)
    }
  }, [])

  const put = (...changed: Draft[]) => {
    setLines((before) => {
      const rows = new Map(before.map((line) => [line.id, line]))
      for (const line of changed) rows.set(line.id, line)
      // A line that was removed and is restored is at its old place.
      return [...rows.values()].toSorted((left, right) => left.position - right.position)
    })
    for (const line of changed) {
      unsaved.current.set(line.id, line)
      gone.current.delete(line.id)
    }
    keep()
    void send()
  }
  return {
    lines,
    isSaving: waiting > 0,
    /** Lines that the server has not got yet. */
    pending,
    /** The line that was being typed when this page was left. */
    begun: found?.typing,
    batchId: () => id.current,
    /** Waits until everything is with the server; false when something is not. */
    settled: async (): Promise<boolean> => {
      await send()
      return unsaved.current.size === 0 && gone.current.size === 0
    },
    put,
    typing: () => typing.current,
    /** Keeps the line that is being typed in this browser; undefined when there is none. */
    type: (line: Draft | undefined) => {
      typing.current = line
      keep()
    },
    /** The batch is closed: the line that was being typed waits for the next one. */
    carry: () => {
      const waits = typing.current
      typing.current = undefined
      keep()
      if (waits) browser.keep<Kept>(nameOf(undefined), { put: [], drop: [], typing: waits })
    },
    drop: (lineId: string) => {
      setLines((before) => before.filter((one) => one.id !== lineId))
      if (!(unsaved.current.delete(lineId) && id.current === undefined)) gone.current.add(lineId)
      keep()
      if (gone.current.size > 0) void send()
    },
  }
}
