import { useCallback, useState } from 'react'

const read = <T,>(name: string, first: T): T => {
  try {
    const text = localStorage.getItem(`pinkas:${name}`)
    return text === null ? first : (JSON.parse(text) as T)
  } catch {
    return first
  }
}

/** A choice about a screen that this browser keeps: the density and the columns of a table. */
export function useKept<T>(name: string, first: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => read(name, first))
  const keep = useCallback(
    (next: T) => {
      setValue(next)
      try {
        localStorage.setItem(`pinkas:${name}`, JSON.stringify(next))
      } catch {
        // Shut or full: the choice holds for this visit.
      }
    },
    [name],
  )
  return [value, keep]
}
