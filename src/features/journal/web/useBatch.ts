import { useEffect, useRef, useState } from 'react'
import { call, failureText, keyOf, queryClient } from '../../../kit/web/call.ts'
import { go } from '../../../kit/web/place.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { createBatch, getBatch, keepLines, listBatches, type BatchAnswer } from '../endpoints.ts'
import { draftOf, inputOf, type Draft } from './model.ts'

/**
 * The lines of a batch as this browser has them: shown at once, kept by the server one after another. A line that could not be kept is said and stays
 * on the screen, and goes again with the next.
 */
export function useBatch(batch: BatchAnswer | undefined) {
  const t = useWords()
  const [lines, setLines] = useState<Draft[]>(() => batch?.rows.map(draftOf) ?? [])
  const [waiting, setWaiting] = useState(0)
  const id = useRef(batch?.id)
  const unsaved = useRef(new Map<string, Draft>())
  const gone = useRef(new Set<string>())
  const queue = useRef(Promise.resolve())

  // Somebody who leaves while a line is on its way is asked to wait.
  useEffect(() => {
    const hold = (event: BeforeUnloadEvent) => {
      if (unsaved.current.size > 0) event.preventDefault()
    }
    addEventListener('beforeunload', hold)
    return () => removeEventListener('beforeunload', hold)
  }, [])

  const flush = async () => {
    const [put, drop] = [[...unsaved.current.values()], [...gone.current]]
    if (put.length === 0 && drop.length === 0) return
    try {
      if (id.current === undefined) {
        const made = await call(createBatch, { lines: put.map(inputOf) })
        id.current = made.id
        queryClient.setQueryData(keyOf(getBatch, { id: made.id }), made)
        go(`/invoice/moveaccounting?batch=${made.id}`, { replace: true })
      } else await call(keepLines, { id: id.current, put: put.map(inputOf), drop })
      // What was typed anew in the meantime goes with the next.
      for (const line of put) if (unsaved.current.get(line.id) === line) unsaved.current.delete(line.id)
      for (const one of drop) gone.current.delete(one)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keyOf(getBatch) }),
        queryClient.invalidateQueries({ queryKey: keyOf(listBatches) }),
      ])
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const send = () => {
    setWaiting((n) => n + 1)
    queue.current = queue.current.then(flush).finally(() => setWaiting((n) => n - 1))
    return queue.current
  }
  return {
    lines,
    isSaving: waiting > 0,
    batchId: () => id.current,
    /** Waits until everything is with the server; false when something is not. */
    settled: async (): Promise<boolean> => {
      await send()
      return unsaved.current.size === 0 && gone.current.size === 0
    },
    put: (line: Draft) => {
      setLines((before) =>
        before.some((one) => one.id === line.id) ? before.map((one) => (one.id === line.id ? line : one)) : [...before, line],
      )
      unsaved.current.set(line.id, line)
      void send()
    },
    drop: (lineId: string) => {
      setLines((before) => before.filter((one) => one.id !== lineId))
      if (unsaved.current.delete(lineId) && id.current === undefined) return
      gone.current.add(lineId)
      void send()
    },
  }
}
