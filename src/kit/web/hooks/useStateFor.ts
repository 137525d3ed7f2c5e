import { useState, type Dispatch, type SetStateAction } from 'react'

/**
 * State that belongs to `subject` and starts again from `initial` when the subject changes: the rows chosen
 * in one list, the failure of one try. It is reset while rendering, so nothing is drawn with the state of the
 * subject before it. `subject` is compared by identity.
 */
export function useStateFor<S>(subject: unknown, initial: S | (() => S)): [S, Dispatch<SetStateAction<S>>] {
  const [state, setState] = useState(initial)
  const [last, setLast] = useState(subject)
  if (!Object.is(last, subject)) {
    setLast(subject)
    setState(initial)
  }
  return [state, setState]
}
