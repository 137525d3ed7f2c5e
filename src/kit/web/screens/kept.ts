import { useCallback, useState } from 'react'

const read = <T>(name: string): T | undefined => {
  try {
    const text = localStorage.getItem(`pinkas:${name}`)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

/**
 * A choice about a screen that this browser keeps: the density and the columns of a table. Until one is made,
 * `first` holds.
 */
export function useKept<T>(name: string, first: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => read<T>(name))
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
  return [value ?? first, keep]
}
