import { useState } from 'react'

/**
 * What was known last: the choice of a period stays, and with it the cursor, while what was chosen is on its
 * way.
 */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
